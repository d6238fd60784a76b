import type { Page } from './transcription.ts';

/** Page by page the better of two readings, so that a second one never makes a page worse. */
export function betterOf(first: readonly Page[], second: readonly Page[]): Page[] {
  const again = new Map(second.map((page) => [page.number, page]));
  return first.map((page) => {
    const other = again.get(page.number);
    return other && isBetter(other, page) ? other : page;
  });
}

function isBetter(page: Page, than: Page): boolean {
  return !than.native && worth(page) > worth(than);
}

/** Below this a recogniser guesses. */
const GUESS = 0.6;

/** How much was read, and how surely. A score alone would prefer a page from which the hard words are gone. */
function worth({ words, quality }: Page): number {
  const legible = words.reduce((sum, { text, confidence }) => sum + text.length * Math.max(0, confidence - GUESS), 0);
  return legible * quality.score;
}
