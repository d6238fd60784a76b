import type { Evidence } from '../extraction.ts';
import type { Box, Page, Transcription, Word } from '../transcription.ts';
import { rowsOf } from './rows.ts';

/** A line as a reader sees it: its words left to right; two spaces stand for a gap as wide as between columns. */
export interface Line {
  page: number;
  text: string;
  words: readonly PlacedWord[];
  /** Absent where the page was read as plain text. */
  box: Box | undefined;
  /** Came with the file; otherwise it was recognised and may be misread. */
  native: boolean;
  /** Of the whole page, for words whose own confidence is unknown. */
  pageConfidence: number;
}

export interface PlacedWord extends Word {
  start: number;
  end: number;
}

export interface Span {
  start: number;
  end: number;
}

export function linesOf({ pages }: Pick<Transcription, 'pages'>): Line[] {
  return pages.flatMap((page) => (page.words.length > 0 ? linesOfWords(page) : linesOfText(page)));
}

/** Where the characters of a span stand. */
export function evidenceOf(line: Line, { start, end }: Span): Evidence {
  const box = around(wordsIn(line, { start, end }));
  return { page: line.page, ...(box && { box }), text: line.text.slice(start, end).trim() };
}

/** How sure the reader was of the least certain word of a span. */
export function confidenceOf(line: Line, span: Span): number {
  const words = wordsIn(line, span);
  return words.length === 0 ? line.pageConfidence : Math.min(...words.map(({ confidence }) => confidence));
}

export interface Cell extends Span {
  text: string;
  box: Box | undefined;
}

/** The parts of a line that wide gaps set apart. */
export function cellsOf(line: Line): Cell[] {
  return [...line.text.matchAll(/\S+(?:\s\S+)*/g)].map(({ 0: text, index }) => {
    const span = { start: index, end: index + text.length };
    return { ...span, text, box: around(wordsIn(line, span)) };
  });
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
  return rowsOf(page.words).map((row) => {
    const words: PlacedWord[] = [];
    let text = '';
    for (const word of row) {
      const gap = gapBefore(word, words.at(-1));
      const start = text.length + gap.length;
      text += gap + word.text;
      words.push({ ...word, start, end: text.length });
    }
    return {
      page: page.number,
      text,
      words,
      box: around(words),
      native: page.native,
      pageConfidence: confidenceOfPage(page),
    };
  });
}

function gapBefore({ box: [left, top, , bottom] }: Word, previous: Word | undefined): string {
  if (!previous) return '';
  const [, previousTop, previousRight, previousBottom] = previous.box;
  const height = Math.max(bottom - top, previousBottom - previousTop);
  return left - previousRight > 1.2 * height ? '  ' : ' ';
}

function linesOfText(page: Page): Line[] {
  const { number, native } = page;
  return page.text
    .split(/\r?\n|\f/)
    .map((text) => text.replace(/\t/g, '  ').trimEnd())
    .filter((text) => text.trim() !== '')
    .map((text) => ({ page: number, text, words: [], box: undefined, native, pageConfidence: confidenceOfPage(page) }));
}

function confidenceOfPage({ native, quality }: Page): number {
  return native ? 1 : quality.score;
}
