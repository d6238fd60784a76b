import type { Readable } from 'node:stream';
import { StorageUnavailableError } from '../errors.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { storageUnavailable } from './outage.ts';
import type { Breaker, PutOptions, Storage } from './storage.ts';

/** Storage that hangs is away too, and must not use up the time limit of a stage. */
const answerMs = 30 * SECOND;
const putMs = 1 * MINUTE;

export interface StorageGuard {
  /** Turns an outage into a StorageUnavailableError; returns other errors as they are. */
  translate(error: unknown): unknown;
  breaker: Breaker;
}

/**
 * The edge of storage: every outage leaves it as a StorageUnavailableError and counts in the
 * breaker. `check` is not stopped by the breaker, because it reports the current state.
 */
export function guardStorage(storage: Storage, { translate, breaker }: StorageGuard): Storage {
  const guarded = <Result>(call: () => Promise<Result>): Promise<Result> =>
    breaker.run(() =>
      call().catch((error: unknown) => {
        throw translate(error);
      }),
    );
  const answered = <Result>(call: () => Promise<Result>) => guarded(() => inTime(call()));
  const watch = (stream: Readable) =>
    translateStream(stream, (error) => {
      const translated = translate(error);
      if (translated instanceof StorageUnavailableError) breaker.failed();
      return translated instanceof Error ? translated : error;
    });
  return {
    put: (key, body, options = {}) =>
      guarded(() =>
        Buffer.isBuffer(body)
          ? withDeadline(options, (limited) => storage.put(key, body, limited))
          : storage.put(key, body, options),
      ),
    get: async (key, signal) => watch(await answered(() => storage.get(key, signal))),
    head: (key) => answered(() => storage.head(key)),
    remove: (key) => answered(() => storage.remove(key)),
    async *list(prefix, after) {
      const objects = storage.list(prefix, after)[Symbol.asyncIterator]();
      for (;;) {
        const next = await guarded(() => objects.next());
        if (next.done) return;
        yield next.value;
      }
    },
    link: (key, fileName, seconds) => storage.link(key, fileName, seconds),
    check: () => storage.check(),
    writable: async () => {
      await breaker.assertClosed();
      await storage.writable();
    },
    close: () => storage.close(),
  };
}

async function inTime<Result>(call: Promise<Result>): Promise<Result> {
  const result = await withTimeout(answerMs, call);
  if (result === 'late') throw noAnswer(answerMs);
  return result;
}

/** Aborts the put, so that it cannot succeed after the caller was told that it failed. */
async function withDeadline<Result>(
  options: PutOptions,
  put: (options: PutOptions) => Promise<Result>,
): Promise<Result> {
  const { signal } = options;
  const deadline = AbortSignal.timeout(putMs);
  const combined = signal ? AbortSignal.any([signal, deadline]) : deadline;
  return put({ ...options, signal: combined }).catch((error: unknown) => {
    throw deadline.aborted && !signal?.aborted ? noAnswer(putMs) : error;
  });
}

function noAnswer(ms: number): StorageUnavailableError {
  return storageUnavailable(new Error(`It did not answer within ${ms / SECOND} s`));
}

/** Replaces the error with which a stream fails. Costs nothing per chunk, unlike a second stream. */
export function translateStream(stream: Readable, translate: (error: Error) => Error): Readable {
  const destroy = stream._destroy.bind(stream);
  stream._destroy = (error, done) =>
    destroy(error, (failure) => done(failure ? translate(failure) : failure));
  return stream;
}
