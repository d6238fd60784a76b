import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PermanentError } from '../../../errors.ts';
import { threadPoint } from '../../../lib/entry-point.ts';
import type { UnpackLimits } from '../../container.ts';
import type { Extracted, Listed, SevenZipReply, SevenZipRequest } from './protocol.ts';
import { makeRoom, noneWaiting } from './waiting.ts';

export type { Listed } from './protocol.ts';

export interface SevenZipFile {
  path: string;
  type: string;
  password?: string | undefined;
}

/** Lists the entries of an archive, at most one more than the limit. */
export async function listArchive(file: SevenZipFile, most: number): Promise<Listed[]> {
  const entries: Listed[] = [];
  for await (const reply of ask({ ...file, ...noOutput, command: 'list' })) {
    if (reply.kind === 'listed') entries.push(...reply.entries);
    if (entries.length > most) break;
    if (reply.kind === 'ended') assertListed(reply, entries.length);
  }
  return entries;
}

const noOutput = { directory: '', maxFileBytes: 0, maxBytes: 0 };

export interface ExtractOptions {
  directory: string;
  limits: UnpackLimits;
  /** Size of the archive, for the expansion limit. */
  bytes: number;
}

/** A file, or why an entry has none. */
export type Extraction = Extracted | { path: string; error: string };

/** Extracts all entries, in the order in which they are listed. Ends early if it cannot go on. */
export async function* extractArchive(
  file: SevenZipFile,
  { directory, limits, bytes }: ExtractOptions,
): AsyncGenerator<Extraction> {
  const maxFileBytes = Math.min(limits.bytes, Math.max(harmlessBytes, limits.ratio * bytes));
  const maxBytes = limits.bytes + maxDiscardedBytes;
  const request = { ...file, directory, maxFileBytes, maxBytes, command: 'extract' as const };
  for await (const reply of ask(request)) {
    if (reply.kind === 'refused') yield reply;
    if (reply.kind !== 'extracted') continue;
    const { file: made } = reply;
    yield made.bytes > maxFileBytes ? { ...made, error: tooMuch(limits) } : made;
  }
}

/** As in `Budget`. */
const harmlessBytes = 2 ** 20;
/** Decoding this much more than is allowed is the price for the entries behind a bomb. */
const maxDiscardedBytes = 2 ** 30;

const tooMuch = ({ ratio, bytes }: UnpackLimits): string =>
  `The entry expands to more than ${ratio} times the size of its archive (MILLRACE_MAX_EXPANSION) or to more than ${bytes} bytes (MILLRACE_MAX_UNPACKED_MB)`;

/** Runs 7-Zip in a thread. Leaving the loop ends the thread. */
async function* ask(
  request: Omit<SevenZipRequest, 'waiting'>,
): AsyncGenerator<SevenZipReply, undefined> {
  const waiting = noneWaiting();
  const { path, execArgv } = threadPoint(import.meta.url, 'thread');
  const thread = new Worker(path, { workerData: { ...request, waiting }, execArgv });
  const replies: SevenZipReply[] = [];
  let failure: Error | undefined;
  let isOver = false;
  let wake = () => {};
  thread.on('message', (reply: SevenZipReply) => {
    replies.push(reply);
    wake();
  });
  thread.once('error', (error) => {
    failure = error;
    wake();
  });
  thread.once('exit', () => {
    isOver = true;
    wake();
  });
  try {
    for (;;) {
      const reply = replies.shift();
      if (reply) {
        yield reply;
        if (reply.kind === 'extracted') makeRoom(waiting, reply.file.bytes);
        if (reply.kind === 'ended') return undefined;
        continue;
      }
      if (failure) throw failure;
      if (isOver) throw new Error('7-Zip ended without a result');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    if (!isOver) {
      const exit = once(thread, 'exit');
      await thread.terminate();
      await exit.catch(() => undefined);
    }
  }
}

/** Code 0: success; 1: warnings; 2: errors, which may concern single entries; undefined: crashed. */
function assertListed(
  { code, errors }: Extract<SevenZipReply, { kind: 'ended' }>,
  found: number,
): void {
  if (code === 0 || code === 1 || found > 0) return;
  const message = errors
    .join(' ')
    .replaceAll(/(ERROR: )?\/in\/\S+( :)?/g, '')
    .trim();
  if (/password/i.test(message))
    throw new PermanentError('PASSWORD_PROTECTED', 'The names of the entries are encrypted');
  throw new PermanentError('INVALID_FILE', `The archive cannot be read: ${message || 'malformed'}`);
}
