import type { Label } from '../../../domain/layout/labels.ts';
import { evidenceOf, type Line, type Span } from '../../../domain/layout/line.ts';
import type { Reading } from '../../../domain/layout/reading.ts';
import { findDates } from '../../../domain/values/date.ts';
import { findIbans } from '../../../domain/values/iban.ts';
import { compactVatId, findVatIds } from '../../../domain/values/vat-id.ts';
import type { Found } from './found.ts';
import { textsBy } from './labelled-text.ts';

export function findInvoiceNumber(reading: Reading): Found | undefined {
  return findNumber(reading, 'invoiceNumber');
}

export function findPurchaseOrder(reading: Reading): Found | undefined {
  return findNumber(reading, 'purchaseOrder');
}

export function findIban({ lines }: Reading): Found | undefined {
  return firstIn(lines, (line) => findIbans(line.text), 0.95);
}

export function findSupplierVatId(reading: Reading): Found | undefined {
  const printed = firstIn(reading.lines, (line) => findVatIds(line.text), 0.9);
  if (printed) return printed;
  for (const { line, start, text } of textsBy(reading, 'vatId')) {
    const [id] = text.matchAll(/(?<![\p{L}\d])\d[\d\- /]{6,18}\d(?![\p{L}\d])/gu);
    if (!id || findDates(id[0]).length > 0) continue;
    const span = { start: start + id.index, end: start + id.index + id[0].length };
    return { value: compactVatId(id[0]), evidence: evidenceOf(line, span), score: 0.7 };
  }
  return undefined;
}

const identifier = /(?<![\p{L}\d])(?=[\p{L}\d/._#-]*\d)[\p{L}\d](?:[\p{L}\d]|[/._#-](?=[\p{L}\d]))*/gu;
/** Between a label and its number stand at most these. */
const between = /^[\s.:#()°º-]*(?:(?:number|no|nr|num|nummer|numéro|n°|nº|n|id|#)[\s.:#)°º-]*)*$/i;

/** Labels that say "number" are surer than "invoice" or "bill" alone. */
function findNumber(reading: Reading, label: Label): Found | undefined {
  const candidates = textsBy(reading, label).flatMap((place): Found[] => {
    const { line, start, text, label: printed, below } = place;
    const [number] = text.matchAll(identifier);
    if (!number || !between.test(text.slice(0, number.index)) || findDates(text.slice(number.index)).some(isFirst))
      return [];
    const span = { start: start + number.index, end: start + number.index + number[0].length };
    const named = /\s|num|nr|nº|#/i.test(printed) || /no|nr|num|#|n°/i.test(text.slice(0, number.index));
    if (below && !named) return [];
    return [{ value: number[0], evidence: evidenceOf(line, span), score: named ? 0.85 : 0.5 }];
  });
  return candidates.sort((a, b) => b.score - a.score)[0];
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
    if (match) return { value: match.value, evidence: evidenceOf(line, match), score };
  }
  return undefined;
}
