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
const shown = z.looseObject({ name: z.string(), version: z.number(), definition: z.unknown() });

interface Options {
  workspace?: string;
  version?: string;
  json?: boolean;
}

/** The types of documents that a workspace knows. */
export function schema(program: Command): void {
  const group = program
    .command('schema')
    .description('types of documents: those that ship and those of a workspace');

  scoped(group.command('list').description('show the types that are known'))
    .option('--json', 'print one JSON object per type')
    .action(async ({ json, ...options }: Options) => {
      const { schemas } = z.object({ schemas: z.array(listed) }).parse(await call('', options));
      for (const each of schemas) {
        const { name, origin, version, title } = each;
        print(json, each, `${name}  ${origin} ${version}  ${title}`);
      }
    });

  scoped(
    group.command('show').description('print the definition of a type, as it is kept in a file'),
  )
    .argument('<name>')
    .option('--version <number>', 'one that may be out of force')
    .action(async (name: string, options: Options) => {
      const { definition } = shown.parse(await call(`/${encodeURIComponent(name)}`, options));
      process.stdout.write(`${JSON.stringify(definition, null, 2)}\n`);
    });

  scoped(
    group
      .command('put')
      .description('put files such as policy.json, which defines the type policy, into force'),
  )
    .argument('<file...>')
    .action(async (files: string[], options: Options) => {
      for (const { name, definition } of await Promise.all(files.map(readSchemaFile))) {
        const { version } = shown.parse(
          await call(`/${name}`, options, { ...post(definition), method: 'PUT' }),
        );
        process.stdout.write(`${name}  own ${version}\n`);
      }
    });

  group
    .command('check')
    .description('look for faults in files, without a server')
    .argument('<file...>')
    .action(async (files: string[]) => {
      for (const { name } of await Promise.all(files.map(readSchemaFile)))
        process.stdout.write(`${name}  good\n`);
    });

  scoped(group.command('retire').description('take a type of the workspace out of force'))
    .argument('<name>')
    .action(async (name: string, options: Options) => {
      await call(`/${encodeURIComponent(name)}`, options, { method: 'DELETE' });
      note(`${name} is out of force`);
    });
}

function scoped(command: Command): Command {
  return command.option('--workspace <id>', 'whose types, for keys that see several');
}

function call(path: string, { workspace, version }: Options, init?: RequestInit): Promise<unknown> {
  const query = new URLSearchParams({
    ...(workspace && { workspaceId: workspace }),
    ...(version && { version }),
  });
  return openClient(configuration())(`/v1/schemas${path}?${query}`, init);
}
