import type { Readable } from 'node:stream';

/** Keeps the last bytes of what streams say, so that a chatterbox cannot fill the memory. */
export class Tail {
  readonly #limit: number;
  #kept = Buffer.alloc(0);

  constructor(limitBytes: number, ...streams: (Readable | null)[]) {
    this.#limit = limitBytes;
    for (const stream of streams) stream?.on('data', (chunk: Buffer) => this.#keep(chunk));
  }

  #keep(chunk: Buffer): void {
    this.#kept = Buffer.concat([this.#kept, chunk]).subarray(-this.#limit);
  }

  toString(): string {
    return this.#kept.toString('utf8').trim();
  }
}
