import { type Label, phrasesFor } from './layout/labels.ts';
import { findPhrase } from './layout/phrase.ts';
import { type Reading, readLayout } from './layout/reading.ts';
import { asksForMoney } from './layout/totals.ts';
import type { DocumentSchema } from './schema.ts';
import { type SchemaName, schemas } from './schemas/index.ts';
import type { Page, Transcription } from './transcription.ts';

/**
 * Which schema fits the document: the one asked for, else data inside it decides, then what its words say, then the
 * shape of its pages.
 */
export function chooseSchema(transcription: Transcription, forced?: SchemaName): DocumentSchema {
  if (forced) return schemas[forced];
  if (transcription.embedded.some(({ text }) => isInvoiceXml(text))) return schemas.invoice;
  const reading = readLayout(transcription);
  const has = (label: Label) => reading.lines.some(({ text }) => findPhrase(text, phrasesFor(label)));
  const money = has('total') || has('payable') || has('subtotal') || asksForMoney(reading.amounts);
  if (money && (isTillRoll(transcription.pages) || isPaidAtTill(reading))) return schemas.receipt;
  return money && (has('title') || has('invoiceNumber')) ? schemas.invoice : schemas.generic;
}

/** The root element of an e-invoice, whatever its prefix. */
export function isInvoiceXml(text: string): boolean {
  const prologue = text.slice(0, 20_000).replace(/<!--[\s\S]*?-->/g, '');
  const [, root] = prologue.match(/<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)[\s/>]/) ?? [];
  return root !== undefined && invoiceRoots.has(root);
}

const invoiceRoots = new Set(['CrossIndustryInvoice', 'CrossIndustryDocument', 'Invoice', 'CreditNote']);

/** Receipts are narrow: one page, or several, of at least twice the height of its width. */
function isTillRoll(pages: readonly Page[]): boolean {
  return pages.length > 0 && pages.every(({ width, height, words }) => words.length > 0 && height > 1.9 * width);
}

/** Only a till says how much was handed over and given back. */
function isPaidAtTill({ amounts }: Reading): boolean {
  const roles = new Set(amounts.map(({ role }) => role));
  return roles.has('paid') && roles.has('change');
}
