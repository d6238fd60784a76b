import { PermanentError } from '../../errors.ts';
import type { UnpackLimits } from '../container.ts';

/** Small files may legitimately have an extreme ratio, such as blank pages; do not check them. */
const harmlessBytes = 2 ** 20;

/** Enforces unpack limits on actual output bytes, not on the sizes that a container declares. */
export class Budget {
  readonly #limits: UnpackLimits;
  #bytes = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  /** Throws if the container has too many entries: it is then rejected as a whole. */
  allow(entries: number): void {
    const most = Math.max(0, this.#limits.entries);
    if (entries > most)
      throw new PermanentError(
        'CONTAINER_TOO_LARGE',
        `The container has at least ${entries} entries; at most ${most} can be unpacked`,
      );
  }

  /** Throws if the bytes exceed the total limit or the decompression ratio of their entry. */
  spend(bytes: number, entry?: { made: number; packed: number }): void {
    this.#bytes += bytes;
    const { bytes: most, ratio } = this.#limits;
    if (this.#bytes > most) throw new Error(`Unpacking would exceed the limit of ${most} bytes`);
    if (entry && entry.made > harmlessBytes && entry.made > ratio * entry.packed)
      throw new Error(`The entry expands to more than ${ratio} times its compressed size`);
  }

  /** Counts bytes that are stored uncompressed and passes them on. */
  async *meter(
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.spend(chunk.length);
      yield chunk;
    }
  }
}
