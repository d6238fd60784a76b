import type { Command } from 'commander';
import type { App } from '../app.ts';
import { listChildren } from '../db/containers.ts';
import { assertType } from '../db/schemas.ts';
import { UsageError } from '../errors.ts';
import { monotonicNow, SECOND } from '../lib/time.ts';
import { untilSignal } from '../lib/until-signal.ts';
import { configuration } from './configuration.ts';
import { exitCodes } from './exit.ts';
import { FileCount } from './file-count.ts';
import {
  type FindOptions,
  filesArgument,
  findFiles,
  followLinks,
  type SkippedFile,
} from './files.ts';
import { note } from './note.ts';
import { positiveNumber } from './positive-number.ts';
import { showProgress } from './progress.ts';
import {
  type Inclusion,
  inclusions,
  notTaken,
  type RunRecord,
  type Source,
  toRecord,
} from './record.ts';
import { hintsFor, resultTable } from './table.ts';
import { type TakeInOptions, takeIn } from './take-in.ts';
import { TakenDocuments, untilFinished } from './until-finished.ts';

interface Options extends FindOptions {
  json?: boolean;
  include?: string;
  timeout?: number;
  type?: string;
}

export function run(program: Command): void {
  program
    .command('run')
    .description('process files and folders, wait until all are done, and print the results')
    .argument('<path...>', filesArgument)
    .option('--json', 'print one JSON object per document')
    .option(
      '--include <parts>',
      `additional parts of the JSON output, comma-separated: ${inclusions.join(', ')}`,
    )
    .option('--type <type>', 'document type; detected if not given')
    .option('--timeout <seconds>', 'stop waiting after this many seconds', positiveNumber)
    .addOption(followLinks())
    .addHelpText(
      'after',
      '\nExit codes: 0 all completed, 1 other error, 2 usage error, 3 some failed.',
    )
    .action(async (paths: string[], options: Options) => {
      process.exitCode = await runAll(paths, options);
    });
}

async function runAll(paths: string[], options: Options): Promise<number> {
  const include = parseInclude(options.include);
  const deadline = monotonicNow() + (options.timeout ?? Number.POSITIVE_INFINITY) * SECOND;
  const interrupted = untilSignal('SIGINT', 'SIGTERM');
  // Log lines would garble the progress display.
  const quiet = process.env.LOG_LEVEL ? {} : { LOG_LEVEL: 'silent' };
  const config = configuration({
    MILLRACE_ROLES: 'worker,scheduler',
    MILLRACE_SHUTDOWN_GRACE: '0s',
    ...quiet,
  });
  const { createApp } = await import('../app.ts');
  const app = await createApp(config, { onProgress: note });
  try {
    const finished: RunRecord[] = [];
    const print = (record: RunRecord) => {
      finished.push(record);
      if (options.json) process.stdout.write(line(record));
    };
    const { db } = app.resources.database;
    await assertType(db, app.workspaceId, options.type);
    const stopped = new AbortController();
    const sources = new Map<string, Source>();
    const progress = showProgress(app);
    const taken = new TakenDocuments();
    const files = new FileCount();
    const takingIn = takeAllIn(app, findFiles(paths, options), {
      files,
      documentType: options.type,
      signal: stopped.signal,
      onTaken(id, source) {
        sources.set(id, source);
        progress.expect(1);
        taken.add(id);
      },
      onProblem: print,
      onSkipped: ({ path, name, skipped: reason }) =>
        options.json && process.stdout.write(line({ path, name, status: 'skipped', reason })),
    }).finally(() => taken.end());
    const outcome = await untilFinished(db, taken, {
      deadline,
      interrupted,
      onFinished: async (view) => {
        const source = sources.get(view.id) ?? view;
        progress.finished(view);
        print(await toRecord(view, source, include, app.resources));
        const inside = view.contents ? await listChildren(db, view.id) : [];
        for (const { id, path: name } of inside)
          sources.set(id, { path: `${source.path}/${name}`, name: `${source.name}/${name}` });
        progress.expect(inside.length);
        return inside.map(({ id }) => id);
      },
    }).finally(() => stopped.abort());
    await takingIn;
    progress.close();
    files.finish(paths);
    if (!options.json) process.stdout.write(resultTable(finished) + hintsFor(finished));
    return conclude(outcome, finished);
  } finally {
    await app.close();
  }
}

interface Taking extends TakeInOptions {
  files: FileCount;
  onTaken(documentId: string, source: Source): void;
  onProblem(record: RunRecord): void;
  onSkipped(file: SkippedFile): void;
}

/** Takes in file after file until all are in or the command ends. */
async function takeAllIn(
  app: App,
  found: ReturnType<typeof findFiles>,
  { files, ...options }: Taking,
): Promise<void> {
  for await (const file of found) {
    if (options.signal.aborted) return;
    if (!files.take(file)) {
      options.onSkipped(file);
      continue;
    }
    const taken = await takeIn(app, file, options);
    if ('documentId' in taken) options.onTaken(taken.documentId, file);
    else if (!options.signal.aborted) options.onProblem(notTaken(file, taken.problem));
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function conclude(outcome: 'finished' | 'late' | 'interrupted', records: RunRecord[]): number {
  if (outcome === 'late')
    note('Timed out. Unfinished documents continue when Millrace runs again.');
  if (outcome === 'interrupted')
    note('Interrupted. Unfinished documents continue when Millrace runs again.');
  if (outcome !== 'finished') return exitCodes.internal;
  return records.every(({ status }) => status === 'completed')
    ? exitCodes.ok
    : exitCodes.someFailed;
}

function parseInclude(text = ''): Set<Inclusion> {
  const parts = text.split(',').filter(Boolean);
  const isInclusion = (part: string): part is Inclusion => inclusions.some((each) => each === part);
  return new Set(
    parts.map((part) => {
      if (isInclusion(part)) return part;
      throw new UsageError(
        `--include: there is no "${part}"`,
        `Choose from ${inclusions.join(', ')}.`,
      );
    }),
  );
}
