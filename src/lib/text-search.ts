/**
 * Looks up many strings in one text. Starts each search at the last hit: strings that follow each
 * other in the text, such as the rows of a table, together cost about one pass over it.
 */
export class TextSearch {
  readonly text: string;
  #lastHit = 0;

  constructor(text: string) {
    this.text = text;
  }

  includes(wanted: string): boolean {
    const ahead = this.text.indexOf(wanted, this.#lastHit);
    const at = ahead >= 0 ? ahead : this.text.indexOf(wanted);
    if (at >= 0) this.#lastHit = at;
    return at >= 0;
  }
}
