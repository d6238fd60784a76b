import type { BuiltInSign } from '../domain/schema/recognition.ts';
import type { Page, Transcription } from '../domain/transcription.ts';
import { isInvoiceXml } from './einvoice/invoice-xml.ts';
import { type Label, phrasesFor } from './layout/labels.ts';
import type { LayoutReading } from './layout/layout-reading.ts';
import { findPhrase } from './layout/phrase.ts';
import { asksForMoney } from './layout/totals.ts';

export interface Seen {
  transcription: Transcription;
  reading: LayoutReading;
}

/** What documents show without naming themselves. */
export const typeSignals: Readonly<Record<BuiltInSign, (seen: Seen) => boolean>> = {
  '@e-invoice': ({ transcription: { embedded } }) =>
    embedded.some(({ text }) => isInvoiceXml(text)),
  '@money': ({ reading }) =>
    names(reading, 'total', 'payable', 'subtotal') || asksForMoney(reading.amounts),
  '@invoice': ({ reading }) => names(reading, 'title', 'invoiceNumber'),
  '@till': ({ transcription: { pages }, reading }) => isTillRoll(pages) || isPaidAtTill(reading),
};

function names({ lines }: LayoutReading, ...labels: Label[]): boolean {
  return labels.some((label) => lines.some(({ text }) => findPhrase(text, phrasesFor(label))));
}

/** Receipts are narrow: one page, or several, of at least twice the height of its width. */
function isTillRoll(pages: readonly Page[]): boolean {
  return (
    pages.length > 0 &&
    pages.every(({ width, height, words }) => words.length > 0 && height > 1.9 * width)
  );
}

/** Only a till says how much was handed over and given back. */
function isPaidAtTill({ amounts }: LayoutReading): boolean {
  const roles = new Set(amounts.map(({ role }) => role));
  return roles.has('paid') && roles.has('change');
}
