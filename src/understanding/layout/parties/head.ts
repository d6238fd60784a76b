import { headsItems } from '../headed-amounts.ts';
import type { LayoutReading } from '../layout-reading.ts';
import { around, type Cell, type Line, sharesColumn, splitCells } from '../line.ts';
import { endsWithLegalForm, hasLegalForm } from './company-name.ts';
import { isReference, parseInscription } from './notice.ts';

/** A piece of the first page: a line, or the part of a line in one column. */
export interface HeadPart extends Cell {
  line: Line;
  /** Line number from the top, starting at 0. */
  row: number;
}

export const headLines = 16;

export function findHead({ lines }: LayoutReading, atMost = headLines): HeadPart[] {
  return lines
    .filter(({ page }) => page === 1)
    .slice(0, atMost)
    .flatMap((line, row) => partsOf(line).map((cell) => ({ ...cell, line, row })));
}

/** Splits a line into cells, joins widely spaced words, and drops the values of labels. */
function partsOf(line: Line): Cell[] {
  const parts: Cell[] = [];
  let labelled = false;
  for (const cell of splitCells(line)) {
    const last = parts.at(-1);
    if (last && isWidelySet(last, cell)) parts.splice(-1, 1, joined(line, last, cell));
    else if (!labelled) parts.push(cell);
    labelled = isReferenceLabel(cell.text);
  }
  return parts;
}

function isReferenceLabel(text: string): boolean {
  return !/\d/.test(text) && isReference(text) && !hasLegalForm(text) && !parseInscription(text);
}

function joined({ text }: Line, { start, box }: Cell, { end, box: next }: Cell): Cell {
  return {
    start,
    end,
    text: text.slice(start, end),
    box: around([box, next].flatMap((one) => (one ? [{ box: one }] : []))),
  };
}

function isWidelySet(a: Cell, b: Cell): boolean {
  if (
    !a.box ||
    !b.box ||
    !(isWords.test(a.text) && isWords.test(b.text)) ||
    endsWithLegalForm(a.text)
  )
    return false;
  return b.box[0] - a.box[2] < 3 * (a.box[3] - a.box[1]);
}

const isWords = /^[\p{L}\s.&()'-]+$/u;

/** The parts in the next rows, up to the table of items: no party is named there. */
export function nextParts(head: readonly HeadPart[], { row }: HeadPart, rows: number): HeadPart[] {
  const next = head.filter((part) => part.row > row && part.row <= row + rows);
  const table = next.find(({ line }) => headsItems(line));
  return table ? next.filter((part) => part.row < table.row) : next;
}

/** The parts below this one in the same column, nearest first. */
export function partsBelow(head: readonly HeadPart[], above: HeadPart): HeadPart[] {
  return head.filter((part) => part.row > above.row && isInColumn(part, above));
}

/** The blocks at the top of a page are close together, so they must share more than an edge. */
export function isInColumn(a: HeadPart, b: HeadPart): boolean {
  if (!a.box || !b.box) return sharesColumn(a, b);
  const shared = Math.min(a.box[2], b.box[2]) - Math.max(a.box[0], b.box[0]);
  return shared > 0.3 * Math.min(a.box[2] - a.box[0], b.box[2] - b.box[0]);
}
