import { findLayout, type Layout } from './delimiter.ts';

const csv = 'text/csv';
const tsv = 'text/tab-separated-values';

/**
 * Recognises a table by its text. A name that says so is believed unless the text contradicts it;
 * without one, running text with commas must not become a table.
 */
export function recogniseTable(text: string, name = ''): string | undefined {
  const layout = findLayout(text);
  if (!layout) return undefined;
  const isNamed = /\.(csv|tsv|tab|psv)$/i.test(name);
  if (isNamed) return layout.regularity < 0.5 ? undefined : typeOf(layout);
  const isRegular = layout.regularity === 1 && layout.rows >= 3 && layout.columns >= 3;
  return isRegular && !isProse(text, layout) ? typeOf(layout) : undefined;
}

function typeOf({ delimiter }: Layout): string {
  return delimiter === '\t' ? tsv : csv;
}

/** In sentences a space follows most commas. Fields of tables are values, not clauses. */
function isProse(text: string, { delimiter, rows, columns }: Layout): boolean {
  const pieces = text.split(delimiter);
  const spaced = pieces.slice(1).filter((piece) => piece.startsWith(' ')).length;
  return spaced > pieces.length / 2 || text.length / (rows * columns) > longestField;
}

/** Mean, in characters. */
const longestField = 40;
