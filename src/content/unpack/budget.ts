import { PermanentError } from '../../errors.ts';
import type { UnpackLimits } from '../container.ts';

/** Less than this may come of nothing: text of one character, empty pages. */
const harmlessBytes = 2 ** 20;

/** What may still be unpacked, counted on bytes that really came out and not on what a container says. */
export class Budget {
  readonly #limits: UnpackLimits;
  #bytes = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  /** A container with more entries than may be is refused as a whole. */
  allow(entries: number): void {
    const most = Math.max(0, this.#limits.entries);
    if (entries > most)
      throw new PermanentError(
        'CONTAINER_TOO_LARGE',
        `It has ${entries} entries or more; ${most} may be unpacked`,
      );
  }

  /** Throws when these bytes are too many, for all entries together or for what a packed one was made of. */
  spend(bytes: number, entry?: { made: number; packed: number }): void {
    this.#bytes += bytes;
    const { bytes: most, ratio } = this.#limits;
    if (this.#bytes > most) throw new Error(`More than ${most} bytes would be unpacked`);
    if (entry && entry.made > harmlessBytes && entry.made > ratio * entry.packed)
      throw new Error(`It grows to more than ${ratio} times its size`);
  }

  /** Passes bytes on that stand in the container as they are. */
  async *meter(
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.spend(chunk.length);
      yield chunk;
    }
  }
}
