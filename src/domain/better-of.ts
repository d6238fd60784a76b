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
  if (than.native) return false;
  const gain = legible(page) - legible(than);
  return gain > 0 || (gain === 0 && page.quality.score > than.quality.score);
}

/** Below this a recogniser guesses. */
const GUESS = 0.6;

/** How much was read, by length and sureness. A score alone would prefer a page from which the hard words are gone. */
function legible({ words }: Page): number {
  return words.reduce((sum, { text, confidence }) => sum + text.length * Math.max(0, confidence - GUESS), 0);
}
