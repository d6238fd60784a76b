import type { TextOutput } from './format.ts';

const loneSurrogates = /\p{Surrogate}/gu;

/** Replaces halves of characters, which damaged files contain and no database stores. */
export function toWellFormed({ pages, ...rest }: TextOutput): TextOutput {
  return {
    ...rest,
    pages: pages.map((page) => ({ ...page, text: page.text.replace(loneSurrogates, '\ufffd') })),
  };
}
