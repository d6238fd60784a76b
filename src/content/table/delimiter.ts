import { parseRows } from './parse-rows.ts';

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** Rows that are looked at. */
const sampleRows = 50;
const sampleCharacters = 64 * 1024;

export interface Layout {
  delimiter: Delimiter;
  columns: number;
  rows: number;
  /** Share of rows with as many fields as most have. */
  regularity: number;
}

/** How a text is divided into columns, if it is. The delimiter that divides most evenly wins. */
export function findLayout(text: string): Layout | undefined {
  const sample = text.slice(0, sampleCharacters);
  const isCut = sample.length < text.length;
  return delimiters
    .flatMap((delimiter) => measure(sample, delimiter, isCut) ?? [])
    .toSorted((a, b) => b.regularity - a.regularity || b.columns - a.columns)[0];
}

function measure(sample: string, delimiter: Delimiter, isCut: boolean): Layout | undefined {
  const rows: string[][] = [];
  for (const row of parseRows(sample, delimiter)) {
    if (row.length > 1 || row[0]?.trim() !== '') rows.push(row);
    if (rows.length >= sampleRows) break;
  }
  // The last row of a cut sample may be a part of one.
  if (isCut && rows.length > 1 && rows.length < sampleRows) rows.pop();
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [columns, regular] = [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  if (columns === undefined || regular === undefined || columns < 2) return undefined;
  return { delimiter, columns, rows: rows.length, regularity: regular / rows.length };
}
