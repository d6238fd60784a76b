import type { Box, Word } from '../../domain/transcription.ts';
import { printable } from '../../lib/printable.ts';
import { type Character, readCharacters } from './characters.ts';
import type { PdfPage } from './document.ts';
import { pageImages } from './images.ts';
import { type Pdfium, withMemory } from './pdfium.ts';

export interface TextLayer {
  width: number;
  height: number;
  text: string;
  words: Word[];
  /** Words that a person looking at the page may not see. */
  hidden: string[];
  /** Share of the characters that mean nothing: unmapped, private or replaced. */
  garbage: number;
  /** Share of the page that its largest image takes. */
  imageCoverage: number;
}

export function readTextLayer(page: PdfPage): TextLayer {
  const images = pageImages(page);
  const characters = readCharacters(page, images.covers);
  const groups = splitWords(characters);
  const words: Word[] = [];
  const hidden: string[] = [];
  withMemory(page.pdf, 8, (scratch) => {
    for (const group of groups) {
      const text = printable(group.map((character) => character.text).join(''));
      if (!text) continue;
      const box = toPage(page, union(group.map((character) => character.box)), scratch);
      if (isHidden(group) || isOff(page, box)) hidden.push(text);
      words.push({ text, box, confidence: 1 });
    }
  });
  return {
    width: page.width,
    height: page.height,
    text: printable(characters.map((character) => character.text).join('')).trim(),
    words,
    hidden,
    garbage: garbageShare(characters),
    imageCoverage: images.coverage,
  };
}

function splitWords(characters: readonly Character[]): Character[][] {
  const words: Character[][] = [[]];
  for (const character of characters) {
    if (/^[\s\0]/.test(character.text)) words.push([]);
    else words.at(-1)?.push(character);
  }
  return words.filter(({ length }) => length > 0);
}

const union = (boxes: readonly Box[]): Box => [
  Math.min(...boxes.map(([left]) => left)),
  Math.min(...boxes.map(([, bottom]) => bottom)),
  Math.max(...boxes.map(([, , right]) => right)),
  Math.max(...boxes.map(([, , , top]) => top)),
];

const isHidden = (word: readonly Character[]): boolean => word.filter(({ hidden }) => hidden).length > word.length / 2;

const isOff = ({ width, height }: PdfPage, [left, top, right, bottom]: Box): boolean =>
  right <= 0 || bottom <= 0 || left >= width || top >= height;

/** PDFium answers in whole pixels: a page drawn this much larger gives hundredths of a point. */
const PRECISION = 100;

function toPage({ pdf, handle, width, height }: PdfPage, [left, bottom, right, top]: Box, scratch: number): Box {
  const size: [number, number] = [Math.round(width * PRECISION), Math.round(height * PRECISION)];
  const [ax, ay] = toDevice(pdf, handle, size, left, top, scratch);
  const [bx, by] = toDevice(pdf, handle, size, right, bottom, scratch);
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}

function toDevice(
  pdf: Pdfium,
  page: number,
  [w, h]: [number, number],
  x: number,
  y: number,
  scratch: number,
): [number, number] {
  pdf._FPDF_PageToDevice(page, 0, 0, w, h, 0, x, y, scratch, scratch + 4);
  const view = new DataView(pdf.HEAPU8.buffer, scratch, 8);
  return [view.getInt32(0, true) / PRECISION, view.getInt32(4, true) / PRECISION];
}

function garbageShare(characters: readonly Character[]): number {
  const drawn = characters.filter(({ text }) => !/^[\s\0]/.test(text));
  if (drawn.length === 0) return 0;
  return drawn.filter(({ text, unmapped }) => unmapped || /[\ufffd\ue000-\uf8ff]/.test(text)).length / drawn.length;
}
