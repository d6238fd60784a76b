import type { BuiltInSign } from '../domain/schema/recognition.ts';
import type { Page, Transcription } from '../domain/transcription.ts';
import { isInvoiceXml } from './einvoice/invoice-xml.ts';
import { type Label, phrasesFor } from './layout/labels.ts';
import type { LayoutReading } from './layout/layout-reading.ts';
import { findPhrase, findPhrases } from './layout/phrase.ts';
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
    asksForMoney(reading.amounts) ||
    (statesMoney(reading) && names(reading, 'total', 'payable', 'subtotal')),
  '@invoice': ({ reading }) =>
    names(beginningOf(reading), 'invoiceNumber') || isTitled(beginningOf(reading)),
  '@till': ({ transcription: { pages }, reading }) => isTillRoll(pages) || isPaidAtTill(reading),
};

/** Titles that documents of any kind have; "avoir" is also the most common verb of French. */
const vagueTitles = new Set(
  'note copy duplicate reprint statement welcome ticket avoir bon'.split(' '),
);

function isTitled({ lines }: Pick<LayoutReading, 'lines'>): boolean {
  return lines
    .flatMap(({ text }) => labelsIn(text))
    .some((text) =>
      findPhrases(text, phrasesFor('title')).some(
        ({ start, end }) => !vagueTitles.has(text.slice(start, end).toLowerCase()),
      ),
    );
}

/** Amounts of money have cents or a currency. Other numbers are counts, years and pages. */
function statesMoney({ amounts }: LayoutReading): boolean {
  return amounts.some(({ amount: { decimals, marked } }) => decimals >= 2 || marked);
}

/** Documents name their type near the beginning. */
const searched = { pages: 2, lines: 200 };

export function beginningOf({ lines }: Pick<LayoutReading, 'lines'>): Pick<LayoutReading, 'lines'> {
  const first = lines.filter(({ page }) => page <= searched.pages);
  return { lines: first.slice(0, searched.lines) };
}

function names({ lines }: Pick<LayoutReading, 'lines'>, ...labels: Label[]): boolean {
  return lines
    .flatMap(({ text }) => labelsIn(text))
    .some((text) => labels.some((label) => findPhrase(text, phrasesFor(label))));
}

/** In words. What is longer is a sentence. */
const longestLabel = 9;

/**
 * The parts of a line that can be a label or a title. In running text any word may occur: a book
 * that mentions a bill and a total is no invoice.
 */
function labelsIn(line: string): string[] {
  return line.split(/\s{2,}/).filter((part) => part.trim().split(/\s+/).length <= longestLabel);
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
