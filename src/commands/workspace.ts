import type { Command } from 'commander';
import { z } from 'zod';
import { inDollars, toMicros } from '../domain/money.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { daysOrNone } from './days.ts';
import { dollarsOrNone } from './dollars.ts';
import { print } from './print.ts';
import { post } from './request.ts';
import { wholeNumber } from './whole-number.ts';

const view = z.looseObject({
  id: z.string(),
  name: z.string(),
  maxInFlight: z.number(),
  defaultPriority: z.number(),
  dailyBudget: z.number().nullable(),
  retentionDays: z.number().nullable(),
  requestsPerMinute: z.number().nullable(),
  storageQuotaBytes: z.number().nullable(),
});
const listing = z.object({ workspaces: z.array(view) });

interface Options {
  name?: string;
  maxInFlight?: number;
  defaultPriority?: number;
  dailyBudget?: number | null;
  retention?: number | null;
  rate?: number | null;
  storageQuota?: number | null;
  json?: boolean;
}

export function workspace(program: Command): void {
  const group = program
    .command('workspace')
    .description('manage workspaces: isolated cases, clients or tenants');
  settings(
    group.command('create').description('create a workspace and print it').argument('<name>'),
  ).action((name: string, options: Options) => send('POST', '', { ...options, name }));
  settings(group.command('set').description('change a workspace').argument('<id>', 'workspace id'))
    .option('--name <name>', 'new name')
    .action((id: string, options: Options) => send('PATCH', `/${encodeURIComponent(id)}`, options));
  group
    .command('list')
    .description('list all workspaces')
    .option('--json', 'print one JSON object per workspace')
    .action(async ({ json }: Options) => {
      const { workspaces } = listing.parse(
        await openClient(configuration())('/admin/workspaces?limit=100'),
      );
      for (const each of workspaces) print(json, each, line(each));
    });
}

function settings(command: Command): Command {
  return command
    .option('--max-in-flight <number>', 'maximum number of documents in progress', wholeNumber)
    .option(
      '--default-priority <number>',
      'priority of batches that set none; lower runs first',
      wholeNumber,
    )
    .option(
      '--daily-budget <dollars>',
      'spending limit per day, or none; documents beyond it are held',
      dollarsOrNone,
    )
    .option(
      '--retention <days>',
      'remove ended documents this long after their arrival, such as 90d, or none',
      daysOrNone,
    )
    .option(
      '--rate <number>',
      'requests per minute of its keys together, or none',
      orNone(wholeNumber),
    )
    .option(
      '--storage-quota <MB>',
      'size of all its documents together, in MB, or none',
      orNone(wholeNumber),
    )
    .option('--json', 'print one JSON object');
}

const orNone = (parse: (text: string) => number) => (text: string) =>
  text === 'none' ? null : parse(text);

async function send(
  method: string,
  path: string,
  { json, retention, rate, storageQuota, ...rest }: Options,
): Promise<void> {
  const body = {
    ...rest,
    retentionDays: retention,
    requestsPerMinute: rate,
    storageQuotaBytes: typeof storageQuota === 'number' ? storageQuota * 2 ** 20 : storageQuota,
  };
  const request = { ...post(body), method };
  const changed = view.parse(
    await openClient(configuration())(`/admin/workspaces${path}`, request),
  );
  print(json, changed, line(changed));
}

function line({
  id,
  name,
  maxInFlight,
  defaultPriority,
  dailyBudget,
  retentionDays,
  requestsPerMinute,
  storageQuotaBytes,
}: z.infer<typeof view>): string {
  const budget = dailyBudget === null ? '' : `  ${inDollars(toMicros(dailyBudget))} per day`;
  const kept = retentionDays === null ? '' : `  kept for ${retentionDays} days`;
  const rate = requestsPerMinute === null ? '' : `  ${requestsPerMinute} requests per minute`;
  const quota = storageQuotaBytes === null ? '' : `  at most ${storageQuotaBytes / 2 ** 20} MB`;
  return `${id}  ${name}  ${maxInFlight} in flight  priority ${defaultPriority}${budget}${kept}${rate}${quota}`;
}
