import type { Command } from 'commander';
import { z } from 'zod';
import { readSchemaFile } from '../extraction/schema-files.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { note } from './note.ts';
import { print } from './print.ts';
import { post } from './request.ts';

const listed = z.looseObject({
  name: z.string(),
  origin: z.string(),
  version: z.number(),
  title: z.string(),
});
const detail = z.looseObject({ name: z.string(), version: z.number(), definition: z.unknown() });

interface Options {
  workspace?: string;
  version?: string;
  json?: boolean;
}

export function schema(program: Command): void {
  const group = program
    .command('schema')
    .description('manage document types: built-in ones and those of a workspace');

  scoped(group.command('list').description('list the document types'))
    .option('--json', 'print one JSON object per type')
    .action(async ({ json, ...options }: Options) => {
      const { schemas } = z.object({ schemas: z.array(listed) }).parse(await call('', options));
      for (const each of schemas) {
        const { name, origin, version, title } = each;
        print(json, each, `${name}  ${origin} ${version}  ${title}`);
      }
    });

  scoped(group.command('show').description('print the definition of a document type as JSON'))
    .argument('<name>')
    .option('--version <number>', 'a specific version, active or retired')
    .action(async (name: string, options: Options) => {
      const { definition } = detail.parse(await call(`/${encodeURIComponent(name)}`, options));
      process.stdout.write(`${JSON.stringify(definition, null, 2)}\n`);
    });

  scoped(
    group
      .command('put')
      .description('activate definitions from files; policy.json defines the type policy'),
  )
    .argument('<file...>')
    .action(async (files: string[], options: Options) => {
      for (const { name, definition } of await Promise.all(files.map(readSchemaFile))) {
        const { version } = detail.parse(
          await call(`/${name}`, options, { ...post(definition), method: 'PUT' }),
        );
        process.stdout.write(`${name}  own ${version}\n`);
      }
    });

  group
    .command('check')
    .description('validate definition files, without a server')
    .argument('<file...>')
    .action(async (files: string[]) => {
      for (const { name } of await Promise.all(files.map(readSchemaFile)))
        process.stdout.write(`${name}  good\n`);
    });

  scoped(group.command('retire').description('retire a document type of the workspace'))
    .argument('<name>')
    .action(async (name: string, options: Options) => {
      await call(`/${encodeURIComponent(name)}`, options, { method: 'DELETE' });
      note(`${name} is retired`);
    });
}

function scoped(command: Command): Command {
  return command.option(
    '--workspace <id>',
    'workspace of the types, for keys with access to several',
  );
}

function call(path: string, { workspace, version }: Options, init?: RequestInit): Promise<unknown> {
  const query = new URLSearchParams({
    ...(workspace && { workspaceId: workspace }),
    ...(version && { version }),
  });
  return openClient(configuration())(`/v1/schemas${path}?${query}`, init);
}
