import type { TextInput, TextOutput } from '../format.ts';

/** What an engine reads from a file: one text per page, sheet or slide. */
export interface TextRead {
  pages: string[];
  truncated: boolean;
}

/** The requested range of pages. Pages of these formats have no geometry. */
export function selectPages(
  { first, last }: Pick<TextInput, 'first' | 'last'>,
  { pages, truncated }: TextRead,
): TextOutput {
  const selected = pages.slice(first - 1, last);
  return {
    pages: selected.map((text, i) => ({
      number: first + i,
      width: 0,
      height: 0,
      text,
      words: [],
    })),
    truncated,
  };
}

export const onePage = { pages: 1, encrypted: false, embedded: [] };
