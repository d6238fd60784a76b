import type { TextWriter } from '../office/text-writer.ts';
import { type Attributes, attribute, type XmlVisitor } from '../xml/walk-xml.ts';
import { formatNumber } from './format-number.ts';

export interface CellContext {
  strings: readonly string[];
  formats: readonly (string | number)[];
  date1904: boolean;
}

/** Counts rows over all sheets of a workbook. */
export interface RowLimit {
  left: number;
  /** Rows were left out. */
  exceeded: boolean;
}

/** Far-away cells are not aligned: a row would be tabs only. */
const maxGap = 64;

/** Writes the rows of a sheet: shown values, separated by tabs. Empty rows are left out. */
export function cellVisitor(writer: TextWriter, context: CellContext, rows: RowLimit): XmlVisitor {
  let row: string[] = [];
  let column = 0;
  let cell: Cell | undefined;
  let element = '';
  const endRow = () => {
    if (row.every((value) => value === '')) return;
    rows.exceeded = rows.left <= 0;
    if (rows.exceeded) return;
    writer.line(row.join('\t'));
    rows.left -= 1;
  };
  return {
    open(name, attributes) {
      element = name;
      if (name === 'row') {
        row = [];
        column = 0;
      }
      if (name === 'c') {
        cell = newCell(attributes);
        column = columnOf(attribute(attributes, 'r')) ?? column + 1;
      }
    },
    close(name) {
      element = '';
      if (name === 'row') endRow();
      if (name !== 'c' || !cell) return;
      putCell(row, column - 1, inOneLine(shownValue(cell, context)));
      cell = undefined;
    },
    text(text) {
      if (!cell) return;
      if (element === 'v' || element === 't') cell.value += text;
      if (element === 'f') cell.formula += text;
    },
    isDone: () => writer.isFull || rows.exceeded,
  };
}

/** Adds a cell to a row, with empty ones up to its column. */
export function putCell(row: string[], column: number, value: string): void {
  const gap = Math.min(column - row.length, maxGap);
  for (let i = 0; i < gap; i += 1) row.push('');
  row.push(value);
}

interface Cell {
  type: string;
  style: number;
  value: string;
  formula: string;
}

function newCell(attributes: Attributes): Cell {
  return {
    type: attribute(attributes, 't') ?? 'n',
    style: Number(attribute(attributes, 's') ?? 0),
    value: '',
    formula: '',
  };
}

/** `AB12` is column 28. */
export function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0];
  if (!letters) return undefined;
  return [...letters.toUpperCase()].reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
}

/** A formula that was never calculated has no value: the formula itself is shown. */
function shownValue(
  { type, style, value, formula }: Cell,
  { strings, formats, date1904 }: CellContext,
): string {
  if (value === '' && formula !== '') return `=${formula}`;
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' ? formatNumber(value, formats[style], date1904) : value;
}

export function inOneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').replace(/\t/g, ' ');
}
