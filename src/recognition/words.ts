import type { Word } from '../domain/transcription.ts';
import type { Glyph } from './ctc.ts';
import type { Quad } from './geometry.ts';
import type { Line } from './recognise.ts';

const MIN_CONFIDENCE = 0.3;

/** Splits a line into words, with boxes derived from glyph positions. */
export function splitWords({ crop, glyphs }: Line): Word[] {
  return split(glyphs).flatMap((word) => {
    const confidence = word.reduce((sum, glyph) => sum + glyph.confidence, 0) / word.length;
    const text = word
      .map((glyph) => glyph.text)
      .join('')
      .trim();
    if (!text || confidence < MIN_CONFIDENCE) return [];
    const half = halfGlyph(word);
    const from = Math.max(0, (word.at(0)?.column ?? 0) - half) / crop.width;
    const to = Math.min(crop.width, (word.at(-1)?.column ?? 0) + half) / crop.width;
    return [{ text, confidence: Math.min(1, confidence), box: boxBetween(crop.quad, from, to) }];
  });
}

function split(glyphs: readonly Glyph[]): Glyph[][] {
  const words: Glyph[][] = [[]];
  for (const glyph of glyphs) {
    if (glyph.text === ' ') words.push([]);
    else words.at(-1)?.push(glyph);
  }
  return words.filter(({ length }) => length > 0);
}

/** Glyph positions are centres: a word extends half a glyph beyond the first and last. */
function halfGlyph(word: readonly Glyph[]): number {
  const span = (word.at(-1)?.column ?? 0) - (word.at(0)?.column ?? 0);
  return word.length > 1 ? span / (word.length - 1) / 2 : 10;
}

function boxBetween([origin, right, , below]: Quad, from: number, to: number): Word['box'] {
  const corners = [from, to].flatMap((u) =>
    [0, 1].map(
      (v) =>
        [
          origin[0] + (right[0] - origin[0]) * u + (below[0] - origin[0]) * v,
          origin[1] + (right[1] - origin[1]) * u + (below[1] - origin[1]) * v,
        ] as const,
    ),
  );
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
