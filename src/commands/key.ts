import type { Command } from 'commander';
import { z } from 'zod';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { note } from './note.ts';

const view = z.looseObject({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  workspaceId: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
const listing = z.object({ keys: z.array(view) });
const made = view.extend({ key: z.string() });

export function key(program: Command): void {
  const group = program.command('key').description('keys that open the API');
  group
    .command('create')
    .description('make a key and print it: it is shown this once')
    .argument('<name>', 'who or what uses it')
    .option('--workspace <id>', 'the one workspace it opens')
    .option('--role <role>', 'user, operator or admin', 'user')
    .option('--json', 'print one JSON object')
    .action(async (name: string, { workspace, role, json }: { workspace?: string; role: string; json?: boolean }) => {
      const answer = await openClient(configuration())('/admin/keys', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, role, workspaceId: workspace }),
      });
      process.stdout.write(`${json ? JSON.stringify(answer) : made.parse(answer).key}\n`);
    });
  group
    .command('list')
    .description('show all keys, without their secrets')
    .option('--json', 'print one JSON object a key')
    .action(async ({ json }: { json?: boolean }) => {
      const { keys } = listing.parse(await openClient(configuration())('/admin/keys'));
      for (const each of keys) process.stdout.write(`${json ? JSON.stringify(each) : line(each)}\n`);
    });
  group
    .command('revoke')
    .description('lock a key out for good')
    .argument('<id>')
    .action(async (id: string) => {
      await openClient(configuration())(`/admin/keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
      note(`The key ${id} opens nothing any more.`);
    });
}

function line({ id, name, role, workspaceId, revokedAt }: z.infer<typeof view>): string {
  return [id, name, role, workspaceId ?? 'all workspaces', revokedAt ? `revoked ${revokedAt}` : '']
    .join('  ')
    .trimEnd();
}
