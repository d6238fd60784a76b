import { z } from 'zod';
import { problem } from './problem.ts';

/**
 * The text of a document, in one model for all engines. Boxes are `[left, top, right, bottom]` in
 * page units (`width` × `height`), origin top left. A page without words was read as plain text.
 */

export const defects = ['blurry', 'dark', 'low-contrast', 'skewed', 'noisy', 'small-text'] as const;
export type Defect = (typeof defects)[number];

export const box = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export type Box = z.infer<typeof box>;

export const word = z.object({ text: z.string(), box, confidence: z.number().min(0).max(1) });
export type Word = z.infer<typeof word>;

export const quality = z.object({
  score: z.number().min(0).max(1),
  defects: z.array(z.enum(defects)),
});
export type Quality = z.infer<typeof quality>;

export const page = z.object({
  /** 1-based. */
  number: z.int().positive(),
  width: z.number().nonnegative(),
  height: z.number().nonnegative(),
  text: z.string(),
  /** In reading order. */
  words: z.array(word),
  quality,
  /** The text came from the file itself, not from OCR. */
  native: z.boolean(),
  /** By how many degrees the page was turned clockwise to be read; absent if it was upright. */
  rotation: z.literal([90, 180, 270]).optional(),
  /** Its number in the file of repaired pages, if it was read there. */
  repairedAs: z.int().positive().optional(),
  /** Parts of the text that were read from pictures on the page. */
  pictures: z
    .array(
      z.object({
        /** In characters of `text`, with the lines that mark its start and end. */
        at: z.int().nonnegative(),
        length: z.int().nonnegative(),
        /** On the page; absent where pages have no geometry. */
        box: box.optional(),
      }),
    )
    .optional(),
});
export type Page = z.infer<typeof page>;
export type Rotation = NonNullable<Page['rotation']>;

/** A data file embedded in the document, such as the XML of an e-invoice. */
export const embeddedFile = z.object({ name: z.string(), mediaType: z.string(), text: z.string() });
export type EmbeddedFile = z.infer<typeof embeddedFile>;

export const transcription = z.object({
  /**
   * Name and version of the engine, e.g. `local/1`. Part of cache keys: change it when results
   * change.
   */
  engine: z.string(),
  pages: z.array(page),
  embedded: z.array(embeddedFile).default([]),
  problems: z.array(problem).default([]),
});
export type Transcription = z.infer<typeof transcription>;

/** Mean page score; 0 for a document without pages. */
export function averageQuality(pages: readonly Page[]): number {
  if (pages.length === 0) return 0;
  return pages.reduce((sum, { quality: { score } }) => sum + score, 0) / pages.length;
}

export function joinText({ pages }: Pick<Transcription, 'pages'>): string {
  return pages.map(({ text }) => text).join('\f');
}

export interface PageToRepair {
  number: number;
  defects: Defect[];
}

/** Pages with a low OCR score whose defects can be repaired. */
export function pagesToRepair(pages: readonly Page[], belowScore: number): PageToRepair[] {
  return pages
    .filter(
      ({ native, quality: { score, defects } }) =>
        !native && score < belowScore && defects.length > 0,
    )
    .map(({ number, quality: { defects } }) => ({ number, defects }));
}

interface TextPage {
  text: string;
  words: readonly unknown[];
}

/**
 * Cuts a document's text after `limit` characters. A cut page drops its words: they would no longer
 * match the text.
 */
export function capText<P extends TextPage>(
  pages: readonly P[],
  limit: number,
): { pages: P[]; truncated: boolean } {
  let left = limit;
  let truncated = false;
  const capped = pages.map((page) => {
    const text = page.text.slice(0, left);
    left -= text.length;
    if (text.length === page.text.length) return page;
    truncated = true;
    return { ...page, text, words: [], pictures: undefined };
  });
  return { pages: capped, truncated };
}
