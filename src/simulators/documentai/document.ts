import type { Page, Word } from '../../domain/transcription.ts';
import { defectNames } from '../../providers/ocr/documentai/defects.ts';

/** Pages in the vendor's format: one text, and layouts that index it by code point. */
export function toDocument(pages: readonly Page[]): object {
  const texts = pages.map(
    (page) => `${page.text || page.words.map(({ text }) => text).join(' ')}\n`,
  );
  let start = 0;
  return {
    text: texts.join(''),
    pages: pages.map((page, i) => {
      const text = texts[i] ?? '';
      const from = start;
      start += lengthOf(text);
      return toVendorPage(page, text, from);
    }),
  };
}

function toVendorPage(page: Page, text: string, start: number): object {
  const offsets = findOffsets(page.words, text);
  return {
    pageNumber: page.number,
    dimension: { width: page.width, height: page.height, unit: 'pixels' },
    layout: { textAnchor: anchor(start, start + lengthOf(text)), confidence: 1 },
    tokens: page.words.map((word, i) => {
      const at = start + (offsets[i] ?? 0);
      return { layout: wordLayout(word, page, anchor(at, at + lengthOf(word.text))) };
    }),
    imageQualityScores: {
      qualityScore: page.quality.score,
      detectedDefects: Object.entries(defectNames).map(([type, name]) => ({
        type,
        confidence: page.quality.defects.includes(name) ? 0.9 : 0.02,
      })),
    },
  };
}

/** Start of each word in the text, in code points. Words must be in reading order. */
function findOffsets(words: readonly Word[], text: string): number[] {
  let from = 0;
  return words.map((word) => {
    const at = text.indexOf(word.text, from);
    if (at >= 0) from = at + word.text.length;
    return lengthOf(text.slice(0, Math.max(at, 0)));
  });
}

function wordLayout(
  { box: [left, top, right, bottom], confidence }: Word,
  { width, height }: Page,
  textAnchor: object,
): object {
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const;
  const normalizedVertices = corners.map(([x, y]) => ({ x: x / width, y: y / height }));
  return { textAnchor, confidence, boundingPoly: { normalizedVertices } };
}

function anchor(startIndex: number, endIndex: number): object {
  return { textSegments: [{ startIndex, endIndex }] };
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
