import type { Page } from './transcription.ts';

/** Page by page the better of two readings, so that a second one never makes a page worse. */
export function pickBetterPages(first: readonly Page[], second: readonly Page[]): Page[] {
  const again = new Map(second.map((page) => [page.number, page]));
  return first.map((page) => {
    const other = again.get(page.number);
    return other && isBetter(other, page) ? other : page;
  });
}

function isBetter(page: Page, than: Page): boolean {
  return !than.native && legible(page) > legible(than) * CLEARLY;
}

/** Below this a recogniser guesses. */
const GUESS = 0.6;

/** Less than this is chance. */
const CLEARLY = 1.03;

/**
 * How much was read, and how surely. The score of a page is no part of it: a repaired page looks better even where it
 * reads no better, or where the hard words are gone.
 */
function legible({ words }: Page): number {
  return words.reduce(
    (sum, { text, confidence }) => sum + text.length * Math.max(0, confidence - GUESS),
    0,
  );
}
