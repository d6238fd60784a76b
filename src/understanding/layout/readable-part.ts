import type { Page } from '../../domain/transcription.ts';

/**
 * No printed invoice is as long: these are about 12,000 lines. Of a longer document only the
 * beginning and the end are read, so that a novel costs no more than the longest invoice.
 */
const readable = { beginning: 600_000, end: 100_000 };

export function readablePart(pages: readonly Page[]): readonly Page[] {
  return cutPages(pages, readable);
}

/** In characters. */
interface Limits {
  beginning: number;
  end: number;
}

/** The beginning and the end of a document that is longer than both. */
export function cutPages(pages: readonly Page[], limits: Limits): readonly Page[] {
  const total = pages.reduce((sum, page) => sum + charactersIn(page), 0);
  if (total <= limits.beginning + limits.end) return pages;
  let at = 0;
  return pages.flatMap((page) => {
    const start = at;
    at += charactersIn(page);
    const first = cut(page, 0, limits.beginning - start);
    const last = cut(page, Math.max(total - limits.end - start, 0), at - start);
    return [...first, ...last];
  });
}

function charactersIn({ text, words }: Page): number {
  return words.length > 0
    ? words.reduce((sum, word) => sum + word.text.length + 1, 0)
    : text.length;
}

/** The characters of a page from `from` up to `to`, if there are any. */
function cut(page: Page, from: number, to: number): Page[] {
  if (to <= from) return [];
  if (page.words.length === 0) {
    const text = page.text.slice(from, to);
    return text === '' ? [] : [{ ...page, text }];
  }
  let at = 0;
  const words = page.words.filter((word) => {
    const start = at;
    at += word.text.length + 1;
    return start >= from && start < to;
  });
  return words.length > 0 ? [{ ...page, words }] : [];
}
