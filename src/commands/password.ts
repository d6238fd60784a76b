import type { Command } from 'commander';
import { z } from 'zod';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { firstLine } from './first-line.ts';
import { note } from './note.ts';
import { print } from './print.ts';
import { post } from './request.ts';

const view = z.looseObject({ id: z.string(), workspaceId: z.string(), label: z.string() });
const listing = z.object({ passwords: z.array(view) });

interface AddOptions {
  passwordFile: string;
  workspace?: string;
  json?: boolean;
}

export function password(program: Command): void {
  const group = program
    .command('password')
    .description('manage passwords that are tried on encrypted files');
  group
    .command('add')
    .description('add a password; it cannot be read again')
    .argument('<label>', 'names the password in lists and events')
    .requiredOption('--password-file <path>', 'file with the password; - reads standard input')
    .option('--workspace <id>', 'workspace whose files it is tried on')
    .option('--json', 'print one JSON object')
    .action(async (label: string, { passwordFile, workspace, json }: AddOptions) => {
      const body = { label, password: firstLine(passwordFile), workspaceId: workspace };
      const made = view.parse(await openClient(configuration())('/admin/passwords', post(body)));
      print(json, made, line(made));
    });
  group
    .command('list')
    .description('list the labels of all passwords')
    .option('--json', 'print one JSON object per password')
    .action(async ({ json }: { json?: boolean }) => {
      const found = await openClient(configuration())('/admin/passwords?limit=100');
      for (const each of listing.parse(found).passwords) print(json, each, line(each));
    });
  group
    .command('remove')
    .description('remove a password')
    .argument('<id>', 'password id')
    .action(async (id: string) => {
      const path = `/admin/passwords/${encodeURIComponent(id)}`;
      await openClient(configuration())(path, { method: 'DELETE' });
      note(`The password ${id} is removed.`);
    });
}

function line({ id, label, workspaceId }: z.infer<typeof view>): string {
  return [id, label, workspaceId].join('  ');
}
