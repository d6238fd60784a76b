import { toRelativeBox } from '../domain/relative-box.ts';
import type { Page, Transcription } from '../domain/transcription.ts';

export interface PageListOptions {
  /** Of the document. */
  mediaType: string;
  /** Whether its pages can be shown as images. */
  images: boolean;
}

/** The pages of a document, without their text. */
export function listPages(
  { engine, pages }: Transcription,
  { mediaType, images }: PageListOptions,
) {
  const isInPoints = ({ native, repairedAs }: Page) =>
    mediaType === 'application/pdf' &&
    repairedAs === undefined &&
    (native || engine.startsWith('local/'));
  return {
    images,
    pages: pages.map((page) => {
      const hasSize = images && page.width > 0 && page.height > 0;
      return {
        number: page.number,
        width: hasSize ? page.width : null,
        height: hasSize ? page.height : null,
        unit: hasSize ? (isInPoints(page) ? 'point' : 'pixel') : null,
        rotation: page.rotation ?? 0,
        repaired: page.repairedAs !== undefined,
        native: page.native,
        words: page.words.length,
        quality: page.quality,
      };
    }),
  };
}

/** The words of a page in reading order, with boxes in fractions of the page. */
export function listWords(page: Page) {
  return {
    number: page.number,
    words: page.words.map(({ text, box, confidence }) => ({
      text,
      box: toRelativeBox(box, page) ?? null,
      confidence,
    })),
  };
}
