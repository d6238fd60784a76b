import type { Command } from 'commander';
import { Option } from 'commander';
import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { csvLine } from '../lib/csv.ts';
import { parseDuration } from '../lib/time.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';

const columns = [
  'id',
  'at',
  'actor',
  'role',
  'workspaceId',
  'action',
  'targetKind',
  'targetId',
  'status',
  'details',
  'address',
  'requestId',
] as const;
const page = z.object({
  entries: z.array(z.looseObject({ id: z.number() })),
  nextCursor: z.string().nullable(),
});

interface Options {
  since?: string;
  until?: string;
  actor?: string;
  target?: string;
  workspace?: string;
  format: 'jsonl' | 'csv';
}

export function audit(program: Command): void {
  program
    .command('audit')
    .description('print who did what to which document, key or setting, newest first')
    .option('--since <time>', 'from a time such as 2026-01-31T08:00:00Z, or this long ago: 30d')
    .option('--until <time>', 'up to a time, or this long ago')
    .option('--actor <key id>', 'what this key did')
    .option('--target <id>', 'what was done to this document, key or other object')
    .option('--workspace <id>', 'what concerns this workspace')
    .addOption(new Option('--format <format>').choices(['jsonl', 'csv']).default('jsonl'))
    .action(async ({ format, since, until, actor, target, workspace }: Options) => {
      const query = new URLSearchParams({ limit: '1000' });
      const given = {
        since: since && toMoment(since),
        until: until && toMoment(until),
        actor,
        targetId: target,
        workspaceId: workspace,
      };
      for (const [name, value] of Object.entries(given)) if (value) query.set(name, value);
      await printAll(query, format);
    });
}

async function printAll(query: URLSearchParams, format: Options['format']): Promise<void> {
  const call = openClient(configuration());
  if (format === 'csv') process.stdout.write(csvLine(columns));
  for (let cursor: string | null = ''; cursor !== null; ) {
    if (cursor) query.set('cursor', cursor);
    const { entries, nextCursor } = page.parse(await call(`/admin/audit?${query}`));
    const lines = entries.map((entry) =>
      format === 'csv'
        ? csvLine(columns.map((name) => toCell(entry[name])))
        : `${JSON.stringify(entry)}\n`,
    );
    process.stdout.write(lines.join(''));
    cursor = nextCursor;
  }
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A time as it is, or a duration before now. */
function toMoment(text: string): string {
  const agoMs = parseDuration(text);
  const moment = agoMs === undefined ? Date.parse(text) : Date.now() - agoMs;
  if (Number.isNaN(moment))
    throw new UsageError(
      `"${text}" is not a time.`,
      'Write 2026-01-31T08:00:00Z, or a duration such as 30d.',
    );
  return new Date(moment).toISOString();
}
