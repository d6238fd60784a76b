import { PermanentError } from '../../errors.ts';
import type { TextInput, TextOutput } from '../format.ts';
import { selectPages } from '../office/pages.ts';
import { TextWriter } from '../office/text-writer.ts';
import { inOneLine } from '../sheet/cells.ts';
import { loadText } from '../text/load-text.ts';
import { findLayout } from './delimiter.ts';
import { parseRows } from './parse-rows.ts';

/** Reads a table as the sheet of a workbook: one line per row, with tabs between its cells. */
export async function readTable(input: TextInput): Promise<TextOutput> {
  const { path, maxText, maxRows = Number.POSITIVE_INFINITY, ...range } = input;
  const { text, isWhole } = await loadText(path);
  const layout = findLayout(text);
  if (!layout) throw new PermanentError('INVALID_FILE', 'The table has no columns');
  const writer = new TextWriter(maxText);
  let left = maxRows;
  for (const row of parseRows(withoutHint(text), layout.delimiter)) {
    if (row.every((cell) => cell.trim() === '')) continue;
    left -= 1;
    if (left < 0 || writer.isFull) break;
    writer.line(row.map((cell) => inOneLine(cell).trim()).join('\t'));
  }
  const truncated = !isWhole || left < 0 || writer.isFull;
  return selectPages(range, { pages: [writer.toString()], truncated });
}

/** The first line of a table that was saved by Excel may name its delimiter. */
function withoutHint(text: string): string {
  return text.replace(/^sep=.\r?\n/i, '');
}
