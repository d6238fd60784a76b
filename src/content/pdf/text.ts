import type { Box, Word } from '../../domain/transcription.ts';
import { printable } from '../../lib/printable.ts';
import type { LayerFacts } from '../format.ts';
import { type Character, readCharacters } from './characters.ts';
import { type Pdfium, type PdfPage, withMemory } from './document.ts';

export interface TextLayer extends LayerFacts {
  width: number;
  height: number;
  text: string;
  words: Word[];
}

export function readTextLayer(page: PdfPage): TextLayer {
  const images = pageImages(page);
  const characters = readCharacters(page, images.covers);
  const words = boxWords(page, splitWords(characters));
  const hidden = words.filter((word) => word.hidden);
  const unseen = new Set(hidden.flatMap((word) => word.characters));
  return {
    width: page.width,
    height: page.height,
    text: textOf(characters),
    words: words.map(({ word }) => word),
    hidden: hidden.map(({ word }) => word.text),
    visible: {
      text: textOf(characters.filter((character) => !unseen.has(character))).replace(
        /[^\S\n]*\n\s*/g,
        '\n',
      ),
      words: words.filter((word) => !word.hidden).map(({ word }) => word),
    },
    garbage: garbageShare(characters),
    imageCoverage: images.coverage,
  };
}

const textOf = (characters: readonly Character[]): string =>
  printable(characters.map(({ text }) => text).join('')).trim();

interface BoxedWord {
  word: Word;
  characters: readonly Character[];
  hidden: boolean;
}

function boxWords(page: PdfPage, groups: readonly Character[][]): BoxedWord[] {
  return withMemory(page.pdf, 8, (scratch) =>
    groups.flatMap((characters) => {
      const text = textOf(characters);
      if (!text) return [];
      const box = toPage(page, union(characters.map((character) => character.box)), scratch);
      return [
        {
          word: { text, box, confidence: 1 },
          characters,
          hidden: isHidden(characters) || isOutside(page, box),
        },
      ];
    }),
  );
}

function splitWords(characters: readonly Character[]): Character[][] {
  const words: Character[][] = [[]];
  for (const character of characters) {
    if (/^[\s\0]/.test(character.text)) words.push([]);
    else words.at(-1)?.push(character);
  }
  return words.filter(({ length }) => length > 0);
}

const union = (boxes: readonly Box[]): Box =>
  boxes.reduce((all, one) => [
    Math.min(all[0], one[0]),
    Math.min(all[1], one[1]),
    Math.max(all[2], one[2]),
    Math.max(all[3], one[3]),
  ]);

const isHidden = (word: readonly Character[]): boolean =>
  word.filter(({ hidden }) => hidden).length > word.length / 2;

const isOutside = ({ width, height }: PdfPage, [left, top, right, bottom]: Box): boolean =>
  right <= 0 || bottom <= 0 || left >= width || top >= height;

/** PDFium returns whole pixels; this scale factor yields hundredths of a point. */
const PRECISION = 100;

function toPage(
  { pdf, handle, width, height }: PdfPage,
  [left, bottom, right, top]: Box,
  scratch: number,
): Box {
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
  return (
    drawn.filter(({ text, unmapped }) => unmapped || /[\ufffd\ue000-\uf8ff]/.test(text)).length /
    drawn.length
  );
}

const IMAGE = 3;

export interface PageImages {
  coverage: number;
  /** Whether an image is drawn on top of this part of a text object. */
  covers(textObject: number, box: Box): boolean;
}

export function pageImages({ pdf, handle, width, height }: PdfPage): PageImages {
  const order = new Map<number, number>();
  const images: { index: number; box: Box }[] = [];
  for (let index = 0; index < pdf._FPDFPage_CountObjects(handle); index += 1) {
    const object = pdf._FPDFPage_GetObject(handle, index);
    order.set(object, index);
    if (pdf._FPDFPageObj_GetType(object) === IMAGE)
      images.push({ index, box: boundsOf(pdf, object) });
  }
  const area = ([left, bottom, right, top]: Box) =>
    Math.max(0, right - left) * Math.max(0, top - bottom);
  const covering = images.toSorted((a, b) => area(b.box) - area(a.box)).slice(0, coveringAtMost);
  const largest = covering[0] ? area(covering[0].box) : 0;
  return {
    coverage: Math.min(1, largest / (width * height)),
    covers: (textObject, box) => {
      const at = order.get(textObject);
      return (
        at !== undefined && covering.some(({ index, box: of }) => index > at && contains(of, box))
      );
    },
  };
}

/** The largest are enough: every character is compared with each of them. */
const coveringAtMost = 500;

const contains = (outer: Box, inner: Box): boolean =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

function boundsOf(pdf: Pdfium, object: number): Box {
  return withMemory(pdf, 16, (pointer) => {
    pdf._FPDFPageObj_GetBounds(object, pointer, pointer + 4, pointer + 8, pointer + 12);
    const view = new DataView(pdf.HEAPU8.buffer, pointer, 16);
    return [
      view.getFloat32(0, true),
      view.getFloat32(4, true),
      view.getFloat32(8, true),
      view.getFloat32(12, true),
    ];
  });
}
