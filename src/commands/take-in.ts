import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { toProblem } from '../api/problem-json.ts';
import type { App } from '../app.ts';
import { isPassing } from '../db/outage.ts';
import { BusyError } from '../errors.ts';
import { upload } from '../intake/upload.ts';
import { atMostEvery } from '../lib/at-most-every.ts';
import { backoff } from '../lib/backoff.ts';
import { describeError } from '../lib/describe-error.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { newId } from '../lib/ids.ts';
import { monotonicNow, SECOND } from '../lib/time.ts';
import type { FoundFile } from './files.ts';
import { note } from './note.ts';
import type { RunRecord } from './record.ts';
import { defaultRetryMs } from './retrying.ts';

type Taken = { documentId: string } | { problem: RunRecord['problems'][number] };

export interface TakeInOptions {
  documentType: string | undefined;
  signal: AbortSignal;
}

const pauses = { baseMs: 1 * SECOND, capMs: 10 * SECOND };
const report = atMostEvery(5 * SECOND, note);

/** Uploads one file within this process. Repeats it while Postgres or storage is away. */
export async function takeIn(
  app: App,
  { path, name, error }: FoundFile,
  { documentType, signal }: TakeInOptions,
): Promise<Taken> {
  if (error) return { problem: missing(error) };
  const { workspaceId, resources, intake } = app;
  const idempotencyKey = newId();
  const until = monotonicNow() + defaultRetryMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const body = createReadStream(path);
      const file = { workspaceId, documentType, name, idempotencyKey, body, signal };
      return { documentId: (await upload(resources, intake, file)).documentId };
    } catch (failure) {
      if (!isTransient(failure) || signal.aborted || monotonicNow() > until)
        return { problem: problemOf(failure) };
      report(`${path}: ${describeError(failure)}. Trying again.`);
      await sleep(backoff(attempt, pauses), undefined, { signal }).catch(() => undefined);
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof BusyError || isPassing(error) || isDiskFull(error);
}

function problemOf(error: unknown): RunRecord['problems'][number] {
  if (isLocalFile(error)) return missing(describeError(error));
  return { code: toProblem(error).problem.code, message: describeError(error) };
}

/** The file to upload could not be read, as opposed to a failure of our own. */
function isLocalFile(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error && !isDiskFull(error);
}

function missing(message: string): RunRecord['problems'][number] {
  return { code: 'FILE_MISSING_OR_INCOMPLETE', message };
}
