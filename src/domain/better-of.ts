import type { Page } from './transcription.ts';

/** Page by page the better of two readings, so that a second one never makes a page worse. */
export function betterOf(first: readonly Page[], second: readonly Page[]): Page[] {
  const again = new Map(second.map((page) => [page.number, page]));
  return first.map((page) => {
    const other = again.get(page.number);
    return other && isBetter(other, page) ? other : page;
  });
}

/** A reading that lost all words has nothing to be doubted, and is worth nothing. */
function isBetter(page: Page, than: Page): boolean {
  if (than.native || (page.text === '' && than.text !== '')) return false;
  return page.quality.score > than.quality.score;
}
