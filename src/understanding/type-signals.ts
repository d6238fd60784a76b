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

/** Signs of a document type other than its name. */
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

/** Receipts are narrow: every page is about twice as high as it is wide. */
function isTillRoll(pages: readonly Page[]): boolean {
  return (
    pages.length > 0 &&
    pages.every(({ width, height, words }) => words.length > 0 && height > 1.9 * width)
  );
}

/** Only till receipts print both the cash received and the change. */
function isPaidAtTill({ amounts }: LayoutReading): boolean {
  const roles = new Set(amounts.map(({ role }) => role));
  return roles.has('paid') && roles.has('change');
}
