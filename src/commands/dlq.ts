import type { Command } from 'commander';
import { z } from 'zod';
import { type LetterFilters, letterFilters } from '../domain/letter-filters.ts';
import { UsageError } from '../errors.ts';
import { keys } from '../lib/keys.ts';
import { parseDuration } from '../lib/time.ts';
import { openClient } from './client.ts';
import { configuration } from './configuration.ts';
import { note } from './note.ts';
import { plain } from './table.ts';

const letter = z.looseObject({
  id: z.string(),
  documentName: z.string(),
  stage: z.string(),
  code: z.string(),
  message: z.string(),
  lastSeen: z.string(),
});
const group = z.looseObject({
  fingerprint: z.string(),
  stage: z.string(),
  code: z.string(),
  count: z.number(),
  exampleId: z.string(),
  exampleMessage: z.string(),
});
const replayed = z.looseObject({ id: z.string(), outcome: z.string(), detail: z.string(), documentId: z.string() });

interface Output {
  json?: boolean;
}
type Filters = Output & LetterFilters;
interface ReplayOptions extends Filters {
  all?: boolean;
  dryRun?: boolean;
  rate?: string;
  limit?: string;
  fromStage?: string;
  timeout?: string;
  documentType?: string;
  ocr: boolean;
}

/** Dead letters of a running server: looked at, replayed, discarded. */
export function dlq(program: Command): void {
  const command = program.command('dlq').description('look at, replay and discard dead letters of a running server');

  filtered(command.command('list').description('open dead letters, newest first'))
    .option('--limit <count>', 'how many', '25')
    .action(async ({ json, ...query }: Filters) => {
      const { deadLetters } = z.object({ deadLetters: z.array(letter) }).parse(await call(`?${search(query)}`));
      for (const each of deadLetters) print(json, each, letterLine(each));
      if (deadLetters.length === 0 && !json) process.stdout.write('There are none.\n');
    });

  filtered(command.command('groups').description('kinds of failures, the most frequent first')).action(
    async ({ json, ...query }: Filters) => {
      const { groups } = z.object({ groups: z.array(group) }).parse(await call(`/groups?${search(query)}`));
      for (const each of groups) print(json, each, groupLine(each));
      if (groups.length === 0 && !json) process.stdout.write('There are none.\n');
    },
  );

  command
    .command('show')
    .description('all that is known of a dead letter')
    .argument('<id>')
    .action(async (id: string) => {
      process.stdout.write(`${JSON.stringify(await call(`/${encodeURIComponent(id)}`), null, 2)}\n`);
    });

  filtered(command.command('replay').description('give documents another run: those named, or all that fit (--all)'))
    .argument('[id...]')
    .option('--all', 'all open letters that fit the filters')
    .option('--dry-run', 'with --all: tell what would be replayed')
    .option('--rate <per second>', 'with --all: documents begun a second')
    .option('--limit <count>', 'with --all: most letters in one go')
    .option('--from-stage <stage>', 'begin here, with what the failed run had')
    .option('--timeout <duration>', 'longest run of one task: 90s, 30m')
    .option('--document-type <type>', 'what the documents are; auto = choose again')
    .option('--no-ocr', 'take only the text that files carry')
    .action(replay);

  command
    .command('discard')
    .description('close dead letters without another run')
    .argument('<id...>')
    .action(async (ids: string[]) => {
      for (const id of ids) {
        await call(`/${encodeURIComponent(id)}`, { method: 'DELETE' });
        note(`${id} discarded`);
      }
    });
}

async function replay(ids: string[], { json, ...options }: ReplayOptions): Promise<void> {
  if (ids.length > 0 === (options.all === true))
    throw new UsageError('Name dead letters, or ask for --all that fit the filters.');
  const overrides = overridesOf(options);
  for (const id of ids) {
    const answer = replayed.parse(await post(`/${encodeURIComponent(id)}/replay`, { overrides }));
    print(json, answer, `${id}  ${answer.outcome}  ${answer.detail}`);
  }
  if (!options.all) return;
  const { dryRun = false, rate, limit } = options;
  const given = { ...(rate && { rate: Number(rate) }), ...(limit && { limit: Number(limit) }) };
  const answer = await post('/replay-all', { filters: chosen(options), overrides, dryRun, ...given });
  process.stdout.write(`${JSON.stringify(answer, null, json ? 0 : 2)}\n`);
}

function overridesOf({ fromStage, timeout, documentType, ocr }: ReplayOptions) {
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout);
  if (timeout !== undefined && timeoutMs === undefined) throw new UsageError(`--timeout: "${timeout}" is no duration`);
  return {
    ...(fromStage && { fromStage }),
    ...(timeoutMs && { timeoutMs }),
    ...(documentType && { documentType }),
    ...(!ocr && { noOcr: true }),
  };
}

/** One option a filter, by the same names as in the API. */
function filtered(command: Command): Command {
  for (const name of keys(letterFilters.shape))
    command.option(`--${name} <${name}>`, letterFilters.shape[name].description ?? `only of this ${name}`);
  return command.option('--json', 'print JSON');
}

function chosen(options: Filters): LetterFilters {
  return Object.fromEntries(
    keys(letterFilters.shape).flatMap((name) => (options[name] ? [[name, options[name]]] : [])),
  );
}

function search(query: Record<string, unknown>): URLSearchParams {
  return new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
}

function call(path: string, init?: RequestInit): Promise<unknown> {
  return openClient(configuration())(`/admin/dlq${path}`, init);
}

function post(path: string, body: object): Promise<unknown> {
  return call(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
}

function print(json: boolean | undefined, value: unknown, line: string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${line}\n`);
}

function letterLine({ id, lastSeen, stage, code, documentName, message }: z.infer<typeof letter>): string {
  return [id, lastSeen, stage, code, plain(documentName), plain(message)].join('  ');
}

function groupLine({ count, stage, code, fingerprint, exampleId, exampleMessage }: z.infer<typeof group>): string {
  return [String(count).padStart(6), stage, code, fingerprint, exampleId, plain(exampleMessage)].join('  ');
}
