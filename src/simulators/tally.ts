/** Counts calls by what they asked for: a vendor bills each of them. */
export class Tally {
  readonly #calls = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Calls that asked for what another call had asked for before. */
  get repeated(): number {
    return this.#total - this.#calls.size;
  }

  /** The number of calls before this one. */
  count(asked: string): number {
    this.#calls.set(asked, (this.#calls.get(asked) ?? 0) + 1);
    this.#total += 1;
    return this.#total - 1;
  }
}
