import { textsBy } from '../layout/labelled-text.ts';
import { type Label, phrasesFor } from '../layout/labels.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { type Line, type Span, toEvidence } from '../layout/line.ts';
import { findDates } from '../values/date.ts';
import { findIbans } from '../values/iban.ts';
import { findVatIds } from '../values/vat-id.ts';
import type { Found } from './found.ts';

export function findInvoiceNumber(reading: LayoutReading): Found | undefined {
  return findNumber(reading, 'invoiceNumber');
}

export function findPurchaseOrder(reading: LayoutReading): Found | undefined {
  return findNumber(reading, 'purchaseOrder');
}

export function findIban({ lines }: LayoutReading): Found | undefined {
  return firstIn(lines, (line) => findIbans(line.text), 0.95);
}

export function findVatId({ lines }: LayoutReading): Found | undefined {
  return firstIn(lines, (line) => findVatIds(line.text), 0.8);
}

const identifier =
  /(?<![\p{L}\d])(?=[\p{L}\d/._#-]*\d)[\p{L}\d](?:[\p{L}\d]|[/._#-](?=[\p{L}\d]))*/gu;
const numberWord = String.raw`(?:number|num(?:mer|er|ero)?|núm(?:ero)?|numéro|no|nr[oa]?|n[°ºo]?|číslo|č|id|#)(?!\p{L})`;
/**
 * The only text allowed between a label and its number, including a document type code in brackets.
 */
const between = new RegExp(
  String.raw`^[\s.:#()°º-]*(?:\(\d{1,4}\)\s*)?(?:${numberWord}[\s.:#)°º-]*)*$`,
  'iu',
);
const endsNamed = new RegExp(String.raw`(?<!\p{L})${numberWord}[\s.:#)°º]*$`, 'iu');
const isNamed = /\s|num|nr|nro|nº|#|núm/iu;

/** Labels that contain "number" are more certain than "invoice" or "bill" alone. */
function findNumber(reading: LayoutReading, label: Label): Found | undefined {
  const candidates = textsBy(reading, phrasesFor(label)).flatMap((place): Found[] => {
    const { line, start, label: printed, below } = place;
    const text = line.native ? place.text : withSign(place.text);
    const number = numberIn(text);
    if (!number) return [];
    const before = text.slice(0, number.index);
    const named = isNamed.test(printed) || endsNamed.test(before);
    // Text that looks like a date is a number only if the label says "number": "faktura nr
    // 7/05/2026".
    if (!named && (below || findDates(text.slice(number.index)).some(isFirst))) return [];
    if (named && !/\//.test(number[0]) && findDates(number[0]).some(isFirst)) return [];
    const span = { start: start + number.index, end: start + number.index + number[0].length };
    return [{ value: number[0], evidence: toEvidence(line, span), score: named ? 0.85 : 0.5 }];
  });
  return candidates.sort((a, b) => b.score - a.score)[0];
}

/**
 * OCR may read the degree sign of "n°" as a letter. The length stays the same, so positions do not
 * change.
 */
function withSign(text: string): string {
  return text.replace(/^(\s+n)a(?=\s+\S*\d)/i, '$1°');
}

/** The first number right after a label. Includes a series in capitals: "FT 2025/318". */
function numberIn(text: string): { 0: string; index: number } | undefined {
  for (const { 0: number, index } of text.matchAll(identifier)) {
    const isCode = text[index - 1] === '(' && text[index + number.length] === ')';
    const isAmount = /^[.,]\d/.test(text.slice(index + number.length));
    if (isCode || isAmount) continue;
    const before = text.slice(0, index);
    if (between.test(before)) return { 0: number, index };
    const [series] = before.match(/(?<![\p{L}\d])[A-Z]{2,3} $/u) ?? [];
    const start = index - (series?.length ?? 0);
    if (series && between.test(before.slice(0, start))) return { 0: series + number, index: start };
  }
  return undefined;
}

function isFirst({ start }: Span): boolean {
  return start === 0;
}

function firstIn(
  lines: readonly Line[],
  find: (line: Line) => (Span & { value: string })[],
  score: number,
): Found | undefined {
  for (const line of lines) {
    const [match] = find(line);
    if (match) return { value: match.value, evidence: toEvidence(line, match), score };
  }
  return undefined;
}
