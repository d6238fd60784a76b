/** Two texts that fold alike say the same: case, accents, punctuation and white space carry no meaning here. */
export function fold(text: string): string {
  if (/^[a-z\d]*$/i.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

export interface Token {
  /** Folded. */
  word: string;
  start: number;
  end: number;
}

/** The words and numbers of a text, folded, with their places. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(/\p{L}[\p{L}\p{M}]*|\p{N}+|%/gu)].map(({ 0: token, index }) => ({
    word: token === '%' ? token : fold(token),
    start: index,
    end: index + token.length,
  }));
}
