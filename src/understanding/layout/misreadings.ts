import { withinEdits } from '../../lib/edit-distance.ts';

type Known = Pick<ReadonlySet<string>, 'has'>;

interface Entry {
  word: string;
  letters: number;
  /** Positions of the word in the list. */
  indices: number[];
}

/** More different words than one document usually has. */
const cacheSize = 4096;

/**
 * Finds the words of a list that a printed word may stand for. Words are compared only with words
 * of similar length that share most letters, and each printed word only once.
 */
export class Misreadings {
  readonly #byWord = new Map<string, Entry>();
  readonly #byLength = new Map<number, Entry[]>();
  readonly #known: Known;
  readonly #cache = new Map<string, readonly number[]>();

  constructor(words: readonly string[], known: Known) {
    this.#known = known;
    for (const [i, word] of words.entries()) this.#entryOf(word).indices.push(i);
  }

  /** Positions in the list, in ascending order. */
  readAs(printed: string): readonly number[] {
    const cached = this.#cache.get(printed);
    if (cached) return cached;
    if (this.#cache.size >= cacheSize) this.#cache.clear();
    const found = this.#lookUp(printed);
    this.#cache.set(printed, found);
    return found;
  }

  #entryOf(word: string): Entry {
    const known = this.#byWord.get(word);
    if (known) return known;
    const entry: Entry = { word, letters: lettersIn(word), indices: [] };
    this.#byWord.set(word, entry);
    const alike = this.#byLength.get(word.length);
    if (alike) alike.push(entry);
    else this.#byLength.set(word.length, [entry]);
    return entry;
  }

  #lookUp(printed: string): readonly number[] {
    const exact = this.#byWord.get(printed);
    if (this.#known.has(printed)) return exact?.indices ?? none;
    const letters = lettersIn(printed);
    const found = [...(exact?.indices ?? [])];
    for (let length = printed.length - mostEdits; length <= printed.length + mostEdits; length++) {
      for (const entry of this.#byLength.get(length) ?? none) {
        if (entry !== exact && mayRead(printed, letters, entry)) found.push(...entry.indices);
      }
    }
    return found.sort((a, b) => a - b);
  }
}

const none: readonly never[] = [];
const mostEdits = 2;

/** Whether a printed word is the given word, possibly with misread letters. */
export function reads(printed: string, word: string, known: Known): boolean {
  if (printed === word) return true;
  const limit = tolerated(word);
  return limit > 0 && withinEdits(printed, word, limit) && !known.has(printed);
}

function mayRead(printed: string, letters: number, { word, letters: own }: Entry): boolean {
  const limit = tolerated(word);
  return limit > 0 && bitsIn(letters ^ own) <= 2 * limit && withinEdits(printed, word, limit);
}

/**
 * The maximum number of wrong letters. "Inclusive" and "exclusive" differ in two, so words of that
 * length may have only one.
 */
function tolerated({ length }: string): number {
  if (length < 5) return 0;
  return length < 10 ? 1 : mostEdits;
}

/** One bit per letter. An edit removes at most one letter and adds at most one. */
function lettersIn(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) % 32);
  return letters;
}

function bitsIn(value: number): number {
  let bits = 0;
  for (let left = value; left !== 0; left &= left - 1) bits++;
  return bits;
}
