import { headsItems } from '../headed-amounts.ts';
import type { LayoutReading } from '../layout-reading.ts';
import { around, type Cell, type Line, sharesColumn, splitCells } from '../line.ts';
import { endsWithLegalForm, hasLegalForm } from './company-name.ts';
import { isReference, parseInscription } from './notice.ts';

/** A piece of the first page: a line, or what stands in one column of it. */
export interface HeadPart extends Cell {
  line: Line;
  /** Counted in lines from the top. */
  row: number;
}

export const headLines = 16;

export function findHead({ lines }: LayoutReading, atMost = headLines): HeadPart[] {
  return lines
    .filter(({ page }) => page === 1)
    .slice(0, atMost)
    .flatMap((line, row) => partsOf(line).map((cell) => ({ ...cell, line, row })));
}

/** Cells, with widely set words together and without the values of labels. */
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

/** The parts of the next rows, up to the table of items: there no party is named. */
export function nextParts(head: readonly HeadPart[], { row }: HeadPart, rows: number): HeadPart[] {
  const next = head.filter((part) => part.row > row && part.row <= row + rows);
  const table = next.find(({ line }) => headsItems(line));
  return table ? next.filter((part) => part.row < table.row) : next;
}

/** The parts below one, in its column, nearest first. */
export function partsBelow(head: readonly HeadPart[], above: HeadPart): HeadPart[] {
  return head.filter((part) => part.row > above.row && isInColumn(part, above));
}

/** Blocks of a head stand close together, so that they must share more than an edge. */
export function isInColumn(a: HeadPart, b: HeadPart): boolean {
  if (!a.box || !b.box) return sharesColumn(a, b);
  const shared = Math.min(a.box[2], b.box[2]) - Math.max(a.box[0], b.box[0]);
  return shared > 0.3 * Math.min(a.box[2] - a.box[0], b.box[2] - b.box[0]);
}
