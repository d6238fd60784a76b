/** Words for comparison: case and surrounding punctuation are ignored. */
export function wordsIn(text: string): string[] {
  return text
    .toUpperCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter(Boolean);
}

export interface Score {
  found: number;
  wanted: number;
  read: number;
  wrongCharacters: number;
  characters: number;
}

export function score(truth: readonly string[], text: string): Score {
  const wanted = wordsIn(truth.join(' '));
  const read = wordsIn(text);
  const bag = new Map<string, number>();
  for (const word of read) bag.set(word, (bag.get(word) ?? 0) + 1);
  let found = 0;
  for (const word of wanted) {
    const left = bag.get(word) ?? 0;
    if (left > 0) found += 1;
    bag.set(word, left - 1);
  }
  const page = squeeze(text);
  const lines = truth.map(squeeze);
  return {
    found,
    wanted: wanted.length,
    read: read.length,
    wrongCharacters: lines.reduce((sum, line) => sum + distanceWithin(line, page), 0),
    characters: lines.reduce((sum, { length }) => sum + length, 0),
  };
}

const squeeze = (text: string): string => text.toUpperCase().replace(/\s+/g, '');

/**
 * The edit distance between a line and the closest part of the page, so that the order of lines
 * does not matter.
 */
function distanceWithin(line: string, page: string): number {
  let above = new Uint16Array(page.length + 1);
  for (let i = 1; i <= line.length; i += 1) {
    const row = new Uint16Array(page.length + 1);
    row[0] = i;
    for (let j = 1; j <= page.length; j += 1) {
      const replaced = (above[j - 1] ?? 0) + (line[i - 1] === page[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
    }
    above = row;
  }
  return above.reduce((least, edits) => Math.min(least, edits), line.length);
}

export function total(scores: readonly Score[]): {
  recall: number;
  precision: number;
  cer: number;
} {
  const sum = (key: keyof Score) => scores.reduce((all, one) => all + one[key], 0);
  return {
    recall: sum('found') / sum('wanted'),
    precision: sum('found') / sum('read'),
    cer: sum('wrongCharacters') / sum('characters'),
  };
}

/** The probability that a clean page scores higher than a degraded one. */
export function areaUnderCurve(clean: readonly number[], degraded: readonly number[]): number {
  const wins = clean.flatMap((good) =>
    degraded.map((bad) => (good > bad ? 1 : good === bad ? 0.5 : 0)),
  );
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
}
