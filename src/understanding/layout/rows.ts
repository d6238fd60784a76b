import type { Word } from '../../domain/transcription.ts';

/**
 * Groups words into rows, from top to bottom, each from left to right. Corrects the slope of the
 * page first, then adds each word to the row whose last word is level with it.
 */
export function groupIntoRows(words: readonly Word[]): Word[][] {
  const slope = slopeOf(words);
  const levelOf = ({ box: [left, top, right, bottom] }: Word) =>
    (top + bottom) / 2 - (slope * (left + right)) / 2;
  const rows: Word[][] = [];
  const shelves = new Shelves(median(words.map(heightOf)));
  for (const word of words.toSorted((a, b) => a.box[0] - b.box[0])) {
    const row = nearestRow(shelves.near(levelOf(word), heightOf(word)), word, levelOf) ?? [];
    if (row.length === 0) rows.push(row);
    row.push(word);
    shelves.put(row, levelOf(word));
  }
  const levels = new Map(rows.map((row) => [row, mean(row.map(levelOf))]));
  return rows.sort((a, b) => (levels.get(a) ?? 0) - (levels.get(b) ?? 0));
}

/** More than overlap on any real page. */
const rowsPerShelf = 64;

/**
 * Rows indexed by the level of their last word, so that a word is compared only with nearby rows.
 */
class Shelves {
  readonly #rows = new Map<number, Set<Word[]>>();
  readonly #height: number;

  constructor(height: number) {
    this.#height = Math.max(height, Number.MIN_VALUE);
  }

  put(row: Word[], level: number): void {
    const key = Math.floor(level / this.#height);
    const rows = (this.#rows.get(key) ?? new Set()).add(row);
    this.#rows.set(key, rows);
    const [oldest] = rows;
    if (oldest && rows.size > rowsPerShelf) rows.delete(oldest);
  }

  *near(level: number, height: number): Iterable<Word[]> {
    const reach = Math.min(20, Math.ceil(height / this.#height) + 1);
    const key = Math.floor(level / this.#height);
    for (let at = key - reach; at <= key + reach; at++) yield* this.#rows.get(at) ?? [];
  }
}

type Level = (word: Word) => number;

function nearestRow(rows: Iterable<Word[]>, word: Word, levelOf: Level): Word[] | undefined {
  let nearest: Word[] | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const last = row.at(-1);
    if (!last || overlapsSideways(last, word)) continue;
    const apart = Math.abs(levelOf(last) - levelOf(word));
    if (apart < distance && apart < tolerance(last, word)) {
      nearest = row;
      distance = apart;
    }
  }
  return nearest;
}

/** Marks such as dashes have a small box, so the tolerance is based on the taller word. */
function tolerance(a: Word, b: Word): number {
  const low = Math.min(heightOf(a), heightOf(b));
  const high = Math.max(heightOf(a), heightOf(b));
  return 0.5 * (low < 0.5 * high ? high : Math.min(high, 1.4 * low));
}

/**
 * Words in one row are side by side. If one covers more than half of the other's width, they are in
 * different rows.
 */
function overlapsSideways(a: Word, b: Word): boolean {
  const shared = Math.min(a.box[2], b.box[2]) - Math.max(a.box[0], b.box[0]);
  return shared > 0.5 * Math.min(a.box[2] - a.box[0], b.box[2] - b.box[0]);
}

const steepest = 0.1;
const wordsForSlope = 500;

/**
 * How much the lines sink per unit to the right: the median over words and their right-hand
 * neighbours.
 */
function slopeOf(words: readonly Word[]): number {
  const some = words.slice(0, wordsForSlope);
  const slopes = some.flatMap((word) => {
    const next = neighbourOf(word, some);
    if (!next) return [];
    const run = (next.box[0] + next.box[2] - word.box[0] - word.box[2]) / 2;
    return [(next.box[1] + next.box[3] - word.box[1] - word.box[3]) / 2 / run];
  });
  const slope = median(slopes);
  return Math.abs(slope) < steepest ? slope : 0;
}

function neighbourOf(word: Word, words: readonly Word[]): Word | undefined {
  const height = heightOf(word);
  return words.find((other) => {
    const gap = other.box[0] - word.box[2];
    const similar = Math.abs(heightOf(other) - height) < 0.3 * height;
    return (
      other !== word &&
      similar &&
      gap > -0.3 * height &&
      gap < 2 * height &&
      Math.abs(other.box[1] - word.box[1]) < 0.4 * height
    );
  });
}

function heightOf({ box: [, top, , bottom] }: Word): number {
  return bottom - top;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
