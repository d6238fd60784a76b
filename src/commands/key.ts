import type { Command } from 'commander';
import { z } from 'zod';
import { newKeyText, parseKeyId, storeKey } from '../db/api-keys.ts';
import { appendAudit } from '../db/audit.ts';
import { UsageError } from '../errors.ts';
import { openPostgres } from '../servers/postgres.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { days } from './days.ts';
import { note } from './note.ts';
import { print } from './print.ts';
import { post } from './request.ts';
import { wholeNumber } from './whole-number.ts';

const view = z.looseObject({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  workspaceId: z.string().nullable(),
  scopes: z.array(z.string()).nullable(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
const listing = z.object({ keys: z.array(view) });
const made = view.extend({ key: z.string() });

interface CreateOptions {
  workspace?: string;
  role: string;
  scope?: string[];
  expires?: number;
  rate?: number;
  direct?: boolean;
  json?: boolean;
}

export function key(program: Command): void {
  const group = program.command('key').description('manage API keys');
  group
    .command('create')
    .description('create a key and print it; it is shown only once')
    .argument('<name>', 'who or what uses the key')
    .option('--workspace <id>', 'restrict the key to this workspace')
    .option('--role <role>', 'user, reviewer, operator or admin', 'user')
    .option(
      '--scope <scope...>',
      'restrict the key, such as documents:read; writing includes reading',
    )
    .option('--expires <days>', 'the key expires after this, such as 90d', days)
    .option('--rate <number>', 'requests per minute', wholeNumber)
    .option(
      '--direct',
      'write an admin key directly to DATABASE_URL; for the first key of a server',
    )
    .option('--json', 'print one JSON object')
    .action(async (name: string, options: CreateOptions) => {
      const { workspace, role, scope, expires, rate, direct, json } = options;
      if (direct) return createDirectly(name);
      const body = {
        name,
        role,
        workspaceId: workspace,
        scopes: scope?.flatMap((each) => each.split(',')),
        expiresInDays: expires,
        requestsPerMinute: rate,
      };
      const answer = made.parse(await openClient(configuration())('/admin/keys', post(body)));
      print(json, answer, answer.key);
    });
  group
    .command('list')
    .description('list all keys, without their secrets')
    .option('--json', 'print one JSON object per key')
    .action(async ({ json }: { json?: boolean }) => {
      const { keys } = listing.parse(await openClient(configuration())('/admin/keys'));
      for (const each of keys) print(json, each, line(each));
    });
  group
    .command('revoke')
    .description('revoke a key permanently')
    .argument('<id>', 'key id')
    .action(async (id: string) => {
      await openClient(configuration())(`/admin/keys/${encodeURIComponent(id)}`, {
        method: 'DELETE',
      });
      note(`The key ${id} is revoked.`);
    });
}

async function createDirectly(name: string): Promise<void> {
  const { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directUrl } = configuration();
  if (!databaseUrl)
    throw new UsageError(
      'DATABASE_URL is not set.',
      '--direct needs it. A server with embedded services creates its first key itself.',
    );
  const database = await openPostgres(
    { databaseUrl, directUrl },
    { connections: 1, onError: () => undefined },
  );
  try {
    const text = newKeyText();
    await database.db.transaction(async (tx) => {
      await storeKey(tx, text, { name, role: 'admin' });
      await appendAudit(tx, {
        actor: 'command-line',
        role: 'admin',
        action: 'key create --direct',
        targetKind: 'keys',
        targetId: parseKeyId(text),
        status: 201,
        details: { name },
      });
    });
    process.stdout.write(`${text}\n`);
  } finally {
    await database.close();
  }
}

function line(key: z.infer<typeof view>): string {
  const { id, name, role, workspaceId, scopes, expiresAt, lastUsedAt, revokedAt } = key;
  return [
    id,
    name,
    role,
    workspaceId ?? 'all workspaces',
    scopes?.join(',') ?? 'all scopes',
    lastUsedAt ? `used ${lastUsedAt}` : 'never used',
    expiresAt ? `expires ${expiresAt}` : '',
    revokedAt ? `revoked ${revokedAt}` : '',
  ]
    .filter(Boolean)
    .join('  ');
}
