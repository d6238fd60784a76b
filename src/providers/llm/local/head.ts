import type { Label } from '../../../domain/layout/labels.ts';
import { phrasesFor } from '../../../domain/layout/labels.ts';
import { around, type Cell, cellsOf, type Line, sharesColumn } from '../../../domain/layout/line.ts';
import { findPhrase } from '../../../domain/layout/phrase.ts';
import type { Reading } from '../../../domain/layout/reading.ts';
import { findDates } from '../../../domain/values/date.ts';

/** A piece of the top of the document: a line, or what stands in one column of it. */
export interface HeadPart extends Cell {
  line: Line;
  /** Counted in lines from the top. */
  row: number;
}

const headLines = 16;

export function headOf({ lines }: Reading, atMost = headLines): HeadPart[] {
  return lines
    .filter(({ page }) => page === 1)
    .slice(0, atMost)
    .flatMap((line, row) => partsOf(line).map((cell) => ({ ...cell, line, row })));
}

/** Cells, with widely set words together and without the values of labels. */
function partsOf(line: Line): Cell[] {
  const parts: Cell[] = [];
  let labelled = false;
  for (const cell of cellsOf(line)) {
    const last = parts.at(-1);
    if (last && isWidelySet(last, cell)) parts.splice(-1, 1, joined(line, last, cell));
    else if (!labelled) parts.push(cell);
    labelled = !/\d/.test(cell.text) && isReference(cell.text);
  }
  return parts;
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
  if (!a.box || !b.box || !(isWords.test(a.text) && isWords.test(b.text))) return false;
  return b.box[0] - a.box[2] < 3 * (a.box[3] - a.box[1]);
}

const isWords = /^[\p{L}\s.&()'-]+$/u;

/** The parts below one, in its column, nearest first. */
export function partsBelow(head: readonly HeadPart[], above: HeadPart): HeadPart[] {
  return head.filter((part) => part.row > above.row && isInColumn(part, above));
}

export function says(text: string, ...labels: Label[]): boolean {
  return labels.some((label) => findPhrase(text, phrasesFor(label)) !== undefined);
}

/** The label of the customer, at the beginning of a line. */
export function isBuyerLabel(text: string): boolean {
  return findPhrase(text, phrasesFor('buyer'))?.start === 0;
}

/** Neither a name nor an address: a phone number, a tax id, a heading, a date, a price, the number of the document. */
export function isNotice(text: string): boolean {
  return isReference(text) || isHeading(text) || findDates(text).length > 0 || timeOrPrice.test(text);
}

/** A notice that may stand between a name and its address. */
export function isReference(text: string): boolean {
  if (says(text, 'contact', 'vatId', 'bank') || isRegistration(text) || isPhone(text) || webAddress.test(text))
    return true;
  return /[:#]|\bno\b/i.test(text) && says(text, 'invoiceNumber', 'purchaseOrder', 'issueDate', 'date');
}

const webAddress = /@|www\b|\w\.(?:com|net|org|info|eu|de|fr|my)\b/i;
const timeOrPrice = /\d:\d{2}|\d\.\d{2}(?!\d)/;
const registerNumber = /^\W*(?:[A-Z]{2,3})?(?:\d{4,}-[A-Z]{1,3}|\d{6,}[\s-]*[A-Z\d]{0,3})\W*$|(?<!\d)\d{5,}-[A-Z]\W*$/i;

/** A register number, alone or after its label. */
export function isRegistration(text: string): boolean {
  return says(text, 'registration') || registerNumber.test(text);
}

function isPhone(text: string): boolean {
  const runs = text.match(/[+\d][\d\s()-]{7,}/g) ?? [];
  return runs.some((run) => run.replace(/\D/g, '').length >= 8);
}

/** Of the document, or of its table. */
function isHeading(text: string): boolean {
  if (/\d/.test(text)) return false;
  const ofTable = says(text, 'columnQuantity') && says(text, 'columnUnitPrice', 'columnAmount');
  return ofTable || (text.length < 40 && says(text, 'title'));
}

/** Blocks of a head stand close together, so that they must share more than an edge. */
function isInColumn(a: HeadPart, b: HeadPart): boolean {
  if (!a.box || !b.box) return sharesColumn(a, b);
  const shared = Math.min(a.box[2], b.box[2]) - Math.max(a.box[0], b.box[0]);
  return shared > 0.3 * Math.min(a.box[2] - a.box[0], b.box[2] - b.box[0]);
}
