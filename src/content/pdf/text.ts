import type { Box, Word } from '../../domain/transcription.ts';
import { printable } from '../../lib/printable.ts';
import type { LayerFacts } from '../format.ts';
import { type Character, readCharacters } from './characters.ts';
import { type PdfPage, withMemory } from './document.ts';
import { toPage } from './geometry.ts';
import { pageImages } from './images.ts';

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
    pictures: images.pictures(words.map(({ word }) => word.box)),
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

function garbageShare(characters: readonly Character[]): number {
  const drawn = characters.filter(({ text }) => !/^[\s\0]/.test(text));
  if (drawn.length === 0) return 0;
  return (
    drawn.filter(({ text, unmapped }) => unmapped || /[\ufffd\ue000-\uf8ff]/.test(text)).length /
    drawn.length
  );
}
