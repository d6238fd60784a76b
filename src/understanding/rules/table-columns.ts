import type { Box } from '../../domain/transcription.ts';
import { type Label, phrasesFor } from '../layout/labels.ts';
import { type Cell, type Line, splitCells } from '../layout/line.ts';
import { findPhrase } from '../layout/phrase.ts';

export type ColumnName = 'description' | 'quantity' | 'unit_price' | 'vat_rate' | 'amount';

interface Column {
  name: ColumnName | undefined;
  box: Box | undefined;
}

/** The order matters: "unit price" must not match as an amount, nor "VAT rate" as a price. */
const headings: readonly { name: ColumnName; label: Label }[] = [
  { name: 'unit_price', label: 'columnUnitPrice' },
  { name: 'vat_rate', label: 'columnVatRate' },
  { name: 'quantity', label: 'columnQuantity' },
  { name: 'description', label: 'description' },
  { name: 'amount', label: 'columnAmount' },
];

/**
 * The columns of a table header. Undefined if the line is not the header of a table of items. If
 * two columns could be the amount, the last one is.
 */
export function findColumns(line: Line | undefined): Column[] | undefined {
  if (!line || /\d{2}/.test(line.text)) return undefined;
  const taken = new Set<ColumnName>();
  const columns = splitCells(line)
    .toReversed()
    .map(({ text, box }): Column => {
      const name = headings.find(
        (heading) => !taken.has(heading.name) && findPhrase(text, phrasesFor(heading.label)),
      )?.name;
      if (name) taken.add(name);
      return { name, box };
    });
  columns.reverse();
  return taken.has('description') && taken.has('amount') && taken.size >= 3 ? columns : undefined;
}

/** Assigns cells to columns: by box, or by counting from the right on pages without boxes. */
export function placeCells(
  cells: readonly Cell[],
  columns: readonly Column[],
): ReadonlyMap<ColumnName, Cell> {
  const placed = new Map<ColumnName, Cell>();
  // Skips cells that contain only a currency symbol.
  const filled = cells.filter(({ text }) => /[\p{L}\d]/u.test(text));
  const shift = columns.length - filled.length;
  for (const [i, cell] of filled.entries()) {
    const column = cell.box
      ? nearest(cell.box, columns)
      : columns[i === 0 ? firstText(columns) : i + shift];
    if (column?.name && !placed.has(column.name)) placed.set(column.name, cell);
  }
  return placed;
}

function firstText(columns: readonly Column[]): number {
  return columns.findIndex(({ name }) => name === 'description');
}

function nearest(cell: Box, columns: readonly Column[]): Column | undefined {
  const distance = ({ box }: Column) =>
    box ? Math.min(...edges(cell, box)) : Number.POSITIVE_INFINITY;
  return columns.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Columns are aligned left, right or centred. */
function edges(a: Box, b: Box): number[] {
  return [Math.abs(a[0] - b[0]), Math.abs(a[2] - b[2]), Math.abs(a[0] + a[2] - b[0] - b[2]) / 2];
}
