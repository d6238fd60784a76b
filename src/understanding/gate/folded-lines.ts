import { fold } from '../../lib/fold.ts';
import { TextSearch } from '../../lib/text-search.ts';
import type { Line, Span } from '../layout/line.ts';

interface LinePart {
  line: Line;
  span: Span;
}

/** The lines of a document as one folded text, in which values are searched. */
export class FoldedLines {
  readonly #lines: readonly Line[];
  readonly #search: TextSearch;
  /** Where each line starts in the folded text. */
  readonly #starts: number[] = [];

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
    const folded: string[] = [];
    let length = 0;
    for (const { text } of lines) {
      const own = foldEach(text).join('');
      this.#starts.push(length);
      folded.push(own);
      length += own.length;
    }
    this.#search = new TextSearch(folded.join(''));
  }

  includes(needle: string): boolean {
    return this.#search.includes(needle);
  }

  /** The lines, or parts of lines, that each occurrence of a text consists of. */
  *occurrencesOf(needle: string): Iterable<LinePart[]> {
    const { text } = this.#search;
    const { length } = needle;
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + length))
      yield this.#partsOf(at, at + length);
  }

  #partsOf(from: number, to: number): LinePart[] {
    const parts: LinePart[] = [];
    for (let i = this.#lineAt(from); i < this.#lines.length; i++) {
      const [line, start = 0] = [this.#lines[i], this.#starts[i]];
      if (!line || start >= to) break;
      const offsets = offsetsOf(line.text).slice(Math.max(0, from - start), to - start);
      const [first, last] = [offsets[0], offsets.at(-1)];
      if (first !== undefined && last !== undefined)
        parts.push({ line, span: { start: first, end: last + 1 } });
    }
    return parts;
  }

  /** The last line that starts at or before this place. */
  #lineAt(place: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The offset in the text of each folded character. */
function offsetsOf(text: string): number[] {
  let offset = 0;
  const characters = [...text];
  return foldEach(text).flatMap((letters, i) => {
    const own = offset;
    offset += characters[i]?.length ?? 0;
    return Array.from({ length: letters.length }, () => own);
  });
}

const foldedCharacters = new Map<string, string>();
const cacheSize = 4096;

function foldEach(text: string): string[] {
  return Array.from(text, (character) => {
    const known = foldedCharacters.get(character);
    if (known !== undefined) return known;
    if (foldedCharacters.size >= cacheSize) foldedCharacters.clear();
    const folded = fold(character);
    foldedCharacters.set(character, folded);
    return folded;
  });
}
