/** Normalises text for comparison: ignores case, accents, punctuation and white space. */
export function fold(text: string): string {
  if (/^[a-z\d]*$/i.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßłøđæœı]/g, (letter) => undivided[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Letters that NFKD does not decompose into a base letter and a mark. */
const undivided: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

export interface Token {
  /** Folded. */
  word: string;
  start: number;
  end: number;
}

/** The words and numbers of a text, folded, with their positions. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+|%/gu)) {
    let start = index;
    for (const part of partsOf(run)) {
      tokens.push({ word: wordOf(part), start, end: start + part.length });
      start += part.length;
    }
  }
  return tokens;
}

/** Letters and digits apart, unless a digit is a misread letter. */
function partsOf(run: string): readonly string[] {
  if (plain.test(run) || isMisread(run)) return [run];
  return run.match(/[\p{L}\p{M}]+|\p{N}+|%/gu) ?? [];
}

/** Most words: they need no Unicode rules. */
const plain = /^(?:[a-z]+|\d+)$/i;

const lookalikes: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 5: 's', 6: 'g', 8: 'b' };

/** A word in which OCR read a letter as a digit: "T0TAL", "6ST". */
function isMisread(run: string): boolean {
  return (
    /^[\p{L}01568]{3,}$/u.test(run) &&
    /\d/.test(run) &&
    (run.match(/\p{L}/gu)?.length ?? 0) >= 2 &&
    !/\d{2}/.test(run)
  );
}

function wordOf(part: string): string {
  if (part === '%') return part;
  if (plain.test(part)) return part.toLowerCase();
  return /\p{L}/u.test(part)
    ? fold(part.replace(/\d/g, (digit) => lookalikes[digit] ?? digit))
    : fold(part);
}
