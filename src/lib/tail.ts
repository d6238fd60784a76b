import type { Readable } from 'node:stream';

/** Keeps only the last bytes of streams, so that verbose output cannot fill the memory. */
export class Tail {
  readonly #limit: number;
  #bytes = Buffer.alloc(0);

  constructor(limitBytes: number, ...streams: (Readable | null)[]) {
    this.#limit = limitBytes;
    for (const stream of streams) stream?.on('data', (chunk: Buffer) => this.#append(chunk));
  }

  #append(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-this.#limit);
  }

  toString(): string {
    return this.#bytes.toString('utf8').trim();
  }
}
