import type { UnpackLimits } from '../container.ts';

/** Small files may legitimately have an extreme ratio, such as blank pages; do not check them. */
const harmlessBytes = 2 ** 20;

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Enforces unpack limits on actual output bytes, not on the sizes that a container declares. */
export class Budget {
  readonly #limits: UnpackLimits;
  #bytes = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  /**
   * Passes the bytes of one entry on and counts them. Throws if they exceed the total limit, or the
   * ratio to their compressed size. The bytes of such an entry do not count: its file is removed,
   * and smaller entries after it may still fit.
   */
  async *meter(chunks: Chunks, packed?: number): AsyncGenerator<Uint8Array> {
    let made = 0;
    for await (const chunk of chunks) {
      made += chunk.length;
      this.check(made, packed);
      yield chunk;
    }
    this.spend(made);
  }

  /** Throws if an entry of this size would exceed a limit. */
  check(made: number, packed?: number): void {
    const { bytes: most, ratio } = this.#limits;
    if (this.#bytes + made > most)
      throw new Error(
        `Unpacking would exceed the limit of ${most} bytes (MILLRACE_MAX_UNPACKED_MB)`,
      );
    if (packed !== undefined && made > harmlessBytes && made > ratio * packed)
      throw new Error(
        `The entry expands to more than ${ratio} times its compressed size (MILLRACE_MAX_EXPANSION)`,
      );
  }

  /** Counts the bytes of an entry that was unpacked. */
  spend(bytes: number): void {
    this.#bytes += bytes;
  }
}
