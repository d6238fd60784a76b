import { z } from 'zod';
import type { Box, Page, Word } from '../../../domain/transcription.ts';
import { toDefects } from './defects.ts';
import { codePoints } from './text.ts';

/** Parses the pages of a response, numbered from `first`. */
export function toPages(answer: unknown, first: number): Page[] {
  const { success, data } = response.safeParse(answer);
  if (!success) throw new Error('Document AI returned a response that is not a document.');
  const { text, pages } = data.document;
  const read = codePoints(text);
  const inOrder = pages.toSorted((a, b) => a.pageNumber - b.pageNumber);
  // The vendor may number pages within the file or within the range, so we count ourselves.
  return inOrder.map((page, i) => toPage(page, first + i, (anchor) => textAt(anchor, read)));
}

const number = z.coerce.number().catch(0);
const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
const vertex = z.object({ x: number, y: number });
const anchor = z.object({ textSegments: list(z.object({ startIndex: number, endIndex: number })) });
const layout = z.object({
  textAnchor: anchor.nullish(),
  confidence: number,
  boundingPoly: z.object({ normalizedVertices: list(vertex), vertices: list(vertex) }).nullish(),
});
const vendorPage = z.object({
  pageNumber: number,
  dimension: z.object({ width: number, height: number }).nullish(),
  layout: layout.nullish(),
  tokens: list(z.object({ layout: layout.nullish() })),
  imageQualityScores: z
    .object({
      qualityScore: number,
      detectedDefects: list(z.object({ type: z.string(), confidence: number })),
    })
    .nullish(),
});
const response = z.object({ document: z.object({ text: z.string(), pages: list(vendorPage) }) });

type Anchor = z.infer<typeof anchor>;
type Layout = z.infer<typeof layout>;
type VendorPage = z.infer<typeof vendorPage>;
type Size = { width: number; height: number };

function textAt({ textSegments }: Anchor, read: (start: number, end: number) => string): string {
  return textSegments.map(({ startIndex, endIndex }) => read(startIndex, endIndex)).join('');
}

function toPage(page: VendorPage, number: number, textOf: (anchor: Anchor) => string): Page {
  const { width, height } = page.dimension ?? { width: 0, height: 0 };
  // Without dimensions, use a unit square.
  const size = width > 0 && height > 0 ? { width, height } : { width: 1, height: 1 };
  const words = page.tokens.flatMap((token) =>
    token.layout ? toWord(token.layout, size, textOf) : [],
  );
  const text = page.layout?.textAnchor
    ? textOf(page.layout.textAnchor)
    : words.map((word) => word.text).join(' ');
  return {
    number,
    ...size,
    text: text.trimEnd(),
    words,
    quality: qualityOf(page, words),
    native: false,
  };
}

function toWord(layout: Layout, size: Size, textOf: (anchor: Anchor) => string): Word[] {
  const text = layout.textAnchor ? textOf(layout.textAnchor).trim() : '';
  return text ? [{ text, box: toBox(layout, size), confidence: share(layout.confidence) }] : [];
}

function toBox({ boundingPoly }: Layout, { width, height }: Size): Box {
  const normalized = boundingPoly?.normalizedVertices ?? [];
  const points = normalized.length
    ? normalized.map(({ x, y }) => ({ x: x * width, y: y * height }))
    : (boundingPoly?.vertices ?? []);
  if (points.length === 0) return [0, 0, 0, 0];
  const xs = points.map(({ x }) => within(x, width));
  const ys = points.map(({ y }) => within(y, height));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Falls back to the mean word confidence if the vendor returned no quality score. */
function qualityOf({ imageQualityScores: scores }: VendorPage, words: Word[]): Page['quality'] {
  if (scores)
    return { score: share(scores.qualityScore), defects: toDefects(scores.detectedDefects) };
  const total = words.reduce((sum, { confidence }) => sum + confidence, 0);
  return { score: words.length ? total / words.length : 0, defects: [] };
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

function share(value: number): number {
  return within(value, 1);
}
