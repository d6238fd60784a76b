import { Worker } from 'node:worker_threads';
import { threadPoint } from '../lib/entry-point.ts';
import type { Fingerprints } from './hash.ts';
import type { HashAnswer, Question } from './hash-thread.ts';

export interface HashBeside {
  /** Calls back when more can be added (backpressure). */
  add(chunks: readonly Uint8Array[], done: (error?: Error) => void): void;
  result(): Promise<Fingerprints>;
  stop(): void;
}

/** Maximum number of bytes waiting to be hashed. */
const maxPendingBytes = 8 * 2 ** 20;

/**
 * Hashes in a worker thread, so that hashing does not block the thread that moves the bytes: three
 * hashes take longer than writing to disk.
 */
export function hashBeside(): HashBeside {
  const { path, execArgv } = threadPoint(import.meta.url, 'hash-thread');
  const thread = new Worker(path, { execArgv });
  const send = (chunk: Uint8Array) => {
    // A chunk may be a view of a much larger buffer, which would be transferred as a whole.
    const copy: Question = new Uint8Array(chunk);
    thread.postMessage(copy, [copy.buffer]);
  };
  let pendingBytes = 0;
  let failure: Error | undefined;
  let waiting: ((error?: Error) => void) | undefined;
  const resume = () => {
    const call = waiting;
    // Cleared first, because the callback may add more and wait again.
    waiting = undefined;
    call?.(failure);
  };
  const result = new Promise<Fingerprints>((resolve, reject) => {
    thread.on('message', (answer: HashAnswer) => {
      if (typeof answer !== 'number') return resolve(answer);
      pendingBytes -= answer;
      if (pendingBytes <= maxPendingBytes) resume();
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The hashing thread exited unexpectedly')));
  });
  result.catch((error: Error) => {
    failure = error;
    resume();
  });
  return {
    add(chunks, done) {
      for (const chunk of chunks) {
        pendingBytes += chunk.byteLength;
        send(chunk);
      }
      waiting = done;
      if (failure || pendingBytes <= maxPendingBytes) resume();
    },
    result() {
      thread.postMessage('end' satisfies Question);
      return result.finally(() => thread.terminate());
    },
    stop: () => void thread.terminate(),
  };
}
