import { Worker } from 'node:worker_threads';
import { threadPoint } from '../lib/entry-point.ts';
import type { Fingerprints } from './hash.ts';
import type { HashAnswer, Question } from './hash-thread.ts';

export interface HashBeside {
  /** Calls back when there is room for more. */
  add(chunks: readonly Uint8Array[], done: (error?: Error) => void): void;
  result(): Promise<Fingerprints>;
  stop(): void;
}

/** Bytes that may wait to be hashed. */
const mostBehind = 8 * 2 ** 20;

/** Hashes in a thread of its own, so that the one that moves the bytes need not: three hashes take longer than the way to the disk. */
export function hashBeside(): HashBeside {
  const { path, execArgv } = threadPoint(import.meta.url, 'hash-thread');
  const thread = new Worker(path, { execArgv });
  const send = (chunk: Uint8Array) => {
    // A piece may be a view of far more bytes, all of which would go along.
    const copy: Question = new Uint8Array(chunk);
    thread.postMessage(copy, [copy.buffer]);
  };
  let behind = 0;
  let failure: Error | undefined;
  let waiting: ((error?: Error) => void) | undefined;
  const goOn = () => {
    const call = waiting;
    // Whoever is called may add more at once, and wait again.
    waiting = undefined;
    call?.(failure);
  };
  const result = new Promise<Fingerprints>((resolve, reject) => {
    thread.on('message', (answer: HashAnswer) => {
      if (typeof answer !== 'number') return resolve(answer);
      behind -= answer;
      if (behind <= mostBehind) goOn();
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread that hashes has ended')));
  });
  result.catch((error: Error) => {
    failure = error;
    goOn();
  });
  return {
    add(chunks, done) {
      for (const chunk of chunks) {
        behind += chunk.byteLength;
        send(chunk);
      }
      waiting = done;
      if (failure || behind <= mostBehind) goOn();
    },
    result() {
      thread.postMessage('end' satisfies Question);
      return result.finally(() => thread.terminate());
    },
    stop: () => void thread.terminate(),
  };
}
