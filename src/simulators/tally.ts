/** Counts calls by their content, since a vendor bills each of them. */
export class Tally {
  readonly #calls = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Number of calls that repeated an earlier one. */
  get repeated(): number {
    return this.#total - this.#calls.size;
  }

  /** Counts a call and returns the number of calls before it. */
  count(asked: string): number {
    this.#calls.set(asked, (this.#calls.get(asked) ?? 0) + 1);
    this.#total += 1;
    return this.#total - 1;
  }
}
