import type { Evidence } from '../../domain/extraction.ts';
import type { Box, Page, Word } from '../../domain/transcription.ts';
import { memoizeBy } from '../../lib/memoize-by.ts';
import { groupIntoRows } from './rows.ts';

/**
 * A line of text: its words from left to right. Two spaces mark a gap as wide as between columns.
 */
export interface Line {
  page: number;
  text: string;
  words: readonly PlacedWord[];
  /** Absent if the page was read as plain text. */
  box: Box | undefined;
  /** There is a gap of at least an empty line above. */
  apart: boolean;
  /** The text came with the file. Otherwise it was recognised and may contain errors. */
  native: boolean;
  /** Confidence of the whole page, for words without one of their own. */
  pageConfidence: number;
}

interface PlacedWord extends Word {
  start: number;
  end: number;
}

export interface Span {
  start: number;
  end: number;
}

export function toLines({ pages }: { pages: readonly Page[] }): Line[] {
  return pages.flatMap((page) => (page.words.length > 0 ? linesOfWords(page) : linesOfText(page)));
}

/** The page, box and text of a span. */
export function toEvidence(line: Line, { start, end }: Span): Evidence {
  const box = around(wordsIn(line, { start, end }));
  return { page: line.page, ...(box && { box }), text: line.text.slice(start, end).trim() };
}

/** The confidence of the least certain word in a span. */
export function averageConfidence(line: Line, span: Span): number {
  const words = wordsIn(line, span);
  return words.length === 0
    ? line.pageConfidence
    : Math.min(...words.map(({ confidence }) => confidence));
}

export interface Cell extends Span {
  text: string;
  box: Box | undefined;
}

/** The parts of a line that are separated by wide gaps. */
export const splitCells = memoizeBy((line: Line): readonly Cell[] =>
  [...line.text.matchAll(/\S+(?:\s\S+)*/g)].map(({ 0: text, index }) => {
    const span = { start: index, end: index + text.length };
    return { ...span, text, box: around(wordsIn(line, span)) };
  }),
);

interface Placed extends Span {
  box: Box | undefined;
}

/**
 * Whether the two are in the same column: by box, or by character position on pages without boxes.
 */
export function sharesColumn(a: Placed, b: Placed): boolean {
  if (a.box && b.box) return a.box[0] < b.box[2] && a.box[2] > b.box[0];
  return a.start < b.end && a.end > b.start;
}

export function around(parts: readonly { box: Box }[]): Box | undefined {
  if (parts.length === 0) return undefined;
  const boxes = parts.map(({ box }) => box);
  return [
    Math.min(...boxes.map(([left]) => left)),
    Math.min(...boxes.map(([, top]) => top)),
    Math.max(...boxes.map(([, , right]) => right)),
    Math.max(...boxes.map(([, , , bottom]) => bottom)),
  ];
}

function wordsIn({ words }: Line, { start, end }: Span): PlacedWord[] {
  return words.filter((word) => word.start < end && word.end > start);
}

function linesOfWords(page: Page): Line[] {
  const legible = page.words.filter(({ text }) => text.length <= longestLine);
  return groupIntoRows(legible)
    .flatMap(inPieces)
    .map((row, i, rows) => {
      const words: PlacedWord[] = [];
      let text = '';
      for (const word of row) {
        const gap = gapBefore(word, words.at(-1), text);
        const start = text.length + gap.length;
        text += gap + word.text;
        words.push({ ...word, start, end: text.length });
      }
      const box = around(words);
      return {
        ...originOf(page),
        text,
        words,
        box,
        apart: areApart(around(rows[i - 1] ?? []), box),
      };
    });
}

const longestNumber = 24;
const mostWords = 80;
const mostCharacters = 1_200;

/** Cuts a row that is longer than any printed one, to bound the work per line. */
function inPieces(row: readonly Word[]): Word[][] {
  const pieces: Word[][] = [];
  let piece: Word[] = [];
  let characters = 0;
  for (const word of row) {
    characters += word.text.length + 1;
    if (piece.length === 0 || piece.length >= mostWords || characters > mostCharacters) {
      piece = [];
      pieces.push(piece);
      characters = word.text.length + 1;
    }
    piece.push(word);
  }
  return pieces;
}

/** Whether an empty line would fit between the two. */
export function areApart(above: Box | undefined, below: Box | undefined): boolean {
  return (
    above !== undefined && below !== undefined && below[1] - above[3] > 1.4 * (below[3] - below[1])
  );
}

function gapBefore(word: Word, previous: Word | undefined, before: string): string {
  if (!previous) return '';
  const [, previousTop, previousRight, previousBottom] = previous.box;
  const [left, top, , bottom] = word.box;
  const height = Math.max(bottom - top, previousBottom - previousTop);
  const gap = left - previousRight;
  if (gap < 0.12 * height && isTorn(before, word.text)) return '';
  return gap > 1.2 * height ? '  ' : ' ';
}

/**
 * Readers may split a number. A part that contains a separator continues with digits. A part
 * without one continues only with a separator.
 */
function isTorn(before: string, next: string): boolean {
  const [number = ''] = before.slice(-longestNumber).match(/(?<=^|\s)\d[\d.,/:-]*$/) ?? [];
  return number !== '' && (/[.,/:-]/.test(number) ? /^\d/ : /^[.,/:-]\d/).test(next);
}

/**
 * Longer than any printed line. Such text is running text and is split into pieces to bound the
 * work.
 */
const longestLine = 400;

function linesOfText(page: Page): Line[] {
  return page.text
    .split(/\r?\n|\f/)
    .flatMap((text) => (text.length > longestLine ? (text.match(running) ?? []) : [text]))
    .map((text) => text.replace(/\t/g, '  ').trimEnd())
    .map((text, i, all) => ({
      ...originOf(page),
      text,
      words: [],
      box: undefined,
      apart: all[i - 1]?.trim() === '',
    }))
    .filter(({ text }) => text.trim() !== '');
}

const running = new RegExp(`.{1,${longestLine}}(?:\\s|$)|.{${longestLine}}`, 'gu');

function originOf({
  number,
  native,
  quality,
}: Page): Pick<Line, 'page' | 'native' | 'pageConfidence'> {
  return { page: number, native, pageConfidence: native ? 1 : quality.score };
}
