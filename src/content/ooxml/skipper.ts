/**
 * Markup compatibility: content in several versions, of which one is read. The first `Choice` is
 * what current programs show; `Fallback` repeats its text for old ones.
 */
export class Skipper {
  /** Depth inside of what is skipped. */
  #depth = 0;
  /** For each open AlternateContent: whether a version was already read. */
  readonly #alternatives: boolean[] = [];

  get isInside(): boolean {
    return this.#depth > 0;
  }

  /** Call for every start tag. Returns true if the element is skipped. */
  enters(name: string): boolean {
    if (this.#depth > 0) {
      this.#depth += 1;
      return true;
    }
    if (name === 'AlternateContent') this.#alternatives.push(false);
    if (name !== 'Choice' && name !== 'Fallback') return false;
    if (this.#alternatives.at(-1) === true) {
      this.#depth = 1;
      return true;
    }
    if (this.#alternatives.length > 0) this.#alternatives[this.#alternatives.length - 1] = true;
    return false;
  }

  /** Call for every end tag. Returns true if the element was skipped. */
  leaves(name: string): boolean {
    if (this.#depth > 0) {
      this.#depth -= 1;
      return true;
    }
    if (name === 'AlternateContent') this.#alternatives.pop();
    return false;
  }
}
