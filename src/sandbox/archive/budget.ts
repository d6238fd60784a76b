import type { UnpackLimits } from '../../domain/container.ts';

/** Less than this may come of nothing: text of one character, empty pages. */
const harmlessBytes = 2 ** 20;

/** What may still be unpacked, counted on bytes that really came out and not on what an archive says. */
export class Budget {
  readonly #limits: Pick<UnpackLimits, 'bytes' | 'ratio'>;
  #bytes = 0;

  constructor(limits: Pick<UnpackLimits, 'bytes' | 'ratio'>) {
    this.#limits = limits;
  }

  /** Throws when these bytes are too many, for all entries together or for what this one was made of. */
  spend(bytes: number, entry: { made: number; packed: number }): void {
    this.#bytes += bytes;
    const { bytes: most, ratio } = this.#limits;
    if (this.#bytes > most) throw new Error(`More than ${most} bytes would be unpacked`);
    if (entry.made > harmlessBytes && entry.made > ratio * entry.packed)
      throw new Error(`It grows to more than ${ratio} times its size`);
  }
}
