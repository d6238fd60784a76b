import type { Page } from './transcription.ts';

/** Picks the better of two readings per page, so that a second reading never makes a page worse. */
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

/** Below this confidence a recogniser guesses. */
const GUESS = 0.6;

/** A smaller improvement is noise. */
const CLEARLY = 1.03;

/**
 * How much text was read, weighted by confidence. The page score is left out: a repaired page can
 * score higher although it reads no better, or because the hard words are gone.
 */
function legible({ words }: Page): number {
  return words.reduce(
    (sum, { text, confidence }) => sum + text.length * Math.max(0, confidence - GUESS),
    0,
  );
}
