import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { UsageError } from '../../errors.ts';
import { parseDuration, SECOND } from '../../lib/time.ts';
import { bar } from '../bar.ts';
import { positiveNumber } from '../positive-number.ts';
import { print } from '../print.ts';
import { post } from '../request.ts';
import { wholeNumber } from '../whole-number.ts';
import { call } from './call.ts';
import { chosen, type Filters, filtered } from './filters.ts';

const replayed = z.looseObject({
  id: z.string(),
  outcome: z.string(),
  detail: z.string(),
  documentId: z.string().nullable(),
});
const progress = z.looseObject({
  id: z.string(),
  state: z.string(),
  handled: z.number(),
  total: z.number(),
});

interface ReplayOptions extends Filters {
  all?: boolean;
  dryRun?: boolean;
  rate?: number;
  limit?: number;
  fromStage?: string;
  timeout?: string;
  documentType?: string;
  lane?: string;
  /** An engine; false with --no-ocr. */
  ocr?: string | false;
  llm?: string;
  passwordFile?: string;
}

export function replay(program: Command): void {
  filtered(
    program
      .command('replay')
      .description('process documents again: the given dead letters, or all that match (--all)'),
  )
    .argument('[id...]', 'dead letter ids')
    .option('--all', 'all open dead letters that match the filters')
    .option('--dry-run', 'with --all: only report what would be replayed')
    .option('--rate <per second>', 'with --all: documents started per second', positiveNumber)
    .option('--limit <count>', 'with --all: maximum number of dead letters', wholeNumber)
    .option(
      '--from-stage <stage>',
      'start at this stage, with the earlier results of the failed run',
    )
    .option('--timeout <duration>', 'time limit of one task, such as 90s or 30m')
    .option('--document-type <type>', 'document type; auto = detect it again')
    .option('--lane <lane>', 'start in this lane in every stage that has two: small, large')
    .option('--ocr <engine>', 'read with this engine instead of the default')
    .option('--no-ocr', 'use only the text that is embedded in the files')
    .option('--llm <engine>', 'extract with this engine instead of the default')
    .option(
      '--password-file <path>',
      'file with the password of encrypted PDFs and Office documents; - reads it from standard input',
    )
    .action(async (ids: string[], options: ReplayOptions) => {
      if (ids.length > 0 === (options.all === true))
        throw new UsageError('Give the ids of dead letters, or use --all with filters.');
      const overrides = overridesOf(options);
      if (options.all) await replayAll(options, overrides);
      else await replayEach(ids, options, overrides);
    });
}

async function replayEach(
  ids: readonly string[],
  { json }: ReplayOptions,
  overrides: object,
): Promise<void> {
  for (const id of ids) {
    const answer = replayed.parse(
      await call(`/${encodeURIComponent(id)}/replay`, post({ overrides })),
    );
    print(json, answer, `${id}  ${answer.outcome}  ${answer.detail}`);
  }
}

async function replayAll(options: ReplayOptions, overrides: object): Promise<void> {
  const { json, dryRun = false, rate, limit } = options;
  const answer = await call(
    '/replay-all',
    post({ filters: chosen(options), overrides, dryRun, rate, limit }),
  );
  const last = dryRun ? answer : await untilDone(answer);
  process.stdout.write(`${JSON.stringify(last, null, json ? 0 : 2)}\n`);
}

/** The replay runs on the server: ending this command does not stop it. */
async function untilDone(answer: unknown): Promise<unknown> {
  let last = progress.parse(answer);
  while (last.state === 'running') {
    if (process.stderr.isTTY)
      process.stderr.write(
        `\r\x1b[K${bar(last.handled, last.total)} ${last.handled}/${last.total} letters`,
      );
    await sleep(1 * SECOND);
    last = progress.parse(await call(`/replays/${last.id}`));
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return last;
}

function overridesOf({
  fromStage,
  timeout,
  documentType,
  lane,
  ocr,
  llm,
  passwordFile,
}: ReplayOptions) {
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout);
  if (timeout !== undefined && timeoutMs === undefined)
    throw new UsageError(`--timeout: "${timeout}" is not a duration such as 90s or 30m`);
  const provider = { ...(ocr && { ocr }), ...(llm && { llm }) };
  return {
    ...(fromStage && { fromStage }),
    ...(timeoutMs && { timeoutMs }),
    ...(documentType && { documentType }),
    ...(lane && { lane }),
    ...(ocr === false && { noOcr: true }),
    ...((ocr || llm) && { provider }),
    // Read from a file: every user of the machine can see command lines.
    ...(passwordFile && { password: firstLine(passwordFile) }),
  };
}

function firstLine(path: string): string {
  const [line = ''] = readFileSync(path === '-' ? 0 : path, 'utf8').split(/\r?\n/);
  if (!line) throw new UsageError(`--password-file: there is no password in ${path}`);
  return line;
}
