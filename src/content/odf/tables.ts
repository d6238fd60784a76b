import { type Attributes, attribute } from '../xml/walk-xml.ts';
import type { OdfPages } from './pages.ts';

/** Where the text of a document goes, depending on what its tables are. */
export interface OdfSink {
  write(text: string): void;
  endLine(): void;
  openTable(attributes: Attributes, isHidden: boolean): void;
  closeTable(): void;
  openRow(attributes: Attributes): void;
  closeRow(): void;
  openCell(attributes: Attributes): void;
  closeCell(): void;
}

/** Tables inside of text: rows are lines. */
export function flowSink(pages: OdfPages): OdfSink {
  return {
    write: (text) => pages.writer.write(text),
    endLine: () => pages.writer.endLine(),
    openTable: () => pages.writer.openTable(),
    closeTable: () => pages.writer.closeTable(),
    openRow: () => undefined,
    closeRow: () => pages.writer.endRow(),
    openCell: () => undefined,
    closeCell: () => pages.writer.endCell(),
  };
}

/** Equal neighbours are stored once. Sheets are filled up with thousands of empty ones. */
const maxRepeats = 64;

/** Tables that are sheets: each is a page, and its cells and rows may be repeated. */
export function sheetSink(pages: OdfPages): OdfSink {
  let row: string[] = [];
  let cell: string | undefined;
  let rowRepeats = 1;
  let cellRepeats = 1;
  let depth = 0;
  return {
    write(text) {
      if (cell === undefined) pages.writer.write(text);
      else cell += text;
    },
    endLine() {
      if (cell === undefined) pages.writer.endLine();
      else if (cell !== '') cell += ' ';
    },
    openTable(attributes, isHidden) {
      depth += 1;
      const name = attribute(attributes, 'name') ?? '';
      if (depth === 1) pages.writer.line(isHidden ? `${name} [hidden sheet]` : name);
    },
    closeTable() {
      depth -= 1;
      if (depth === 0) pages.endPage();
    },
    openRow(attributes) {
      if (depth !== 1) return;
      row = [];
      rowRepeats = repeats(attributes, 'number-rows-repeated');
    },
    closeRow() {
      if (depth !== 1 || row.every((value) => value === '')) return;
      const line = row.join('\t').trimEnd();
      for (let i = 0; i < rowRepeats && pages.takeRow(); i += 1) pages.writer.line(line);
    },
    openCell(attributes) {
      if (depth !== 1) return;
      cell = '';
      cellRepeats = repeats(attributes, 'number-columns-repeated');
    },
    closeCell() {
      if (depth !== 1) return;
      for (let i = 0; i < cellRepeats; i += 1) row.push((cell ?? '').trim());
      cell = undefined;
    },
  };
}

function repeats(attributes: Attributes, name: string): number {
  const count = Number(attribute(attributes, name) ?? 1);
  return Math.min(Math.max(1, count || 1), maxRepeats);
}
