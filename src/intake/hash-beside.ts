import { Worker } from 'node:worker_threads';
import { threadPoint } from '../lib/entry-point.ts';
import type { Fingerprints } from './hash.ts';
import type { HashAnswer, Question } from './hash-thread.ts';

export interface HashBeside {
  /** Calls back when more can be added (backpressure). */
  add(chunks: readonly Uint8Array[], done: (error?: Error) => void): void;
  result(): Promise<Fingerprints>;
  /** Forgets the file. */
  drop(): void;
}

/** Maximum number of bytes of one file waiting to be hashed. */
const maxPendingBytes = 8 * 2 ** 20;

/**
 * Hashes a file in a worker thread, so that hashing does not block the thread that moves the bytes:
 * three hashes take longer than writing to disk.
 */
export function hashBeside(thread: HashThread = sharedThread()): HashBeside {
  let pendingBytes = 0;
  let failure: Error | undefined;
  let waiting: ((error?: Error) => void) | undefined;
  const resume = () => {
    const call = waiting;
    // Cleared first, because the callback may add more and wait again.
    waiting = undefined;
    call?.(failure);
  };
  const { send, result, close } = thread.open((hashed) => {
    pendingBytes -= hashed;
    if (pendingBytes <= maxPendingBytes) resume();
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
      send('end');
      return result.finally(close);
    },
    drop() {
      send('drop');
      close();
    },
  };
}

interface OpenFile {
  onHashed(bytes: number): void;
  resolve(fingerprints: Fingerprints): void;
  reject(error: Error): void;
}

/**
 * One thread for all files: starting one blocks the event loop for longer than most uploads. It
 * keeps the process alive only while a file is open.
 */
export class HashThread {
  readonly #worker: Worker;
  readonly #files = new Map<number, OpenFile>();
  #last = 0;
  #failure: Error | undefined;

  constructor() {
    const { path, execArgv } = threadPoint(import.meta.url, 'hash-thread');
    this.#worker = new Worker(path, { execArgv });
    this.#worker.unref();
    this.#worker.on('message', ({ file, answer }: HashAnswer) => {
      if (typeof answer === 'number') this.#files.get(file)?.onHashed(answer);
      else this.#files.get(file)?.resolve(answer);
    });
    this.#worker.once('error', (error: Error) => this.#fail(error));
    this.#worker.once('exit', () =>
      this.#fail(new Error('The hashing thread exited unexpectedly')),
    );
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  open(onHashed: (bytes: number) => void) {
    this.#last += 1;
    const file = this.#last;
    const result = new Promise<Fingerprints>((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#files.set(file, { onHashed, resolve, reject });
      this.#worker.ref();
    });
    return {
      send: (chunk: Uint8Array | 'end' | 'drop') => this.#send(file, chunk),
      result,
      close: () => {
        this.#files.delete(file);
        if (this.#files.size === 0) this.#worker.unref();
      },
    };
  }

  stop(): void {
    void this.#worker.terminate();
  }

  #send(file: number, chunk: Uint8Array | 'end' | 'drop'): void {
    if (typeof chunk === 'string') {
      this.#worker.postMessage({ file, chunk } satisfies Question);
      return;
    }
    // A chunk may be a view of a much larger buffer, which would be transferred as a whole.
    const copy = new Uint8Array(chunk);
    this.#worker.postMessage({ file, chunk: copy } satisfies Question, [copy.buffer]);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#files.values()) reject(error);
    this.#files.clear();
  }
}

let shared: HashThread | undefined;

/** Started for the first large file, and again if it failed. */
function sharedThread(): HashThread {
  if (!shared || shared.failed) shared = new HashThread();
  return shared;
}
