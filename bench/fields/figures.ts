import path from 'node:path';
import type { Transcription } from '../../src/domain/transcription.ts';
import { type Figure, single } from '../speed/figure.ts';
import { measurePages } from './einvoice-pages.ts';
import { measureEInvoices } from './einvoices.ts';
import type { scoresOf } from './invoice-score.ts';
import { measureMade } from './made-invoices.ts';
import { measureReceipts } from './receipts.ts';

/** Receipts: percentage of exact matches after folding case, punctuation and white space. */
const targets: Readonly<Record<string, number>> = { total: 90, date: 95, company: 75, address: 60 };

/**
 * How many fields the local extractor reads correctly, and how many of the values that pass the
 * gate are correct.
 */
export async function measureFields(
  corpora: string,
  read: ReadonlyMap<string, Transcription>,
): Promise<{ figures: Figure[]; misses: string[] }> {
  const receipts = await measureReceipts(path.join(corpora, 'truth/sroie.jsonl'), read);
  const einvoices = await measureEInvoices(corpora);
  const pages = await measurePages(corpora);
  const made = await measureMade();
  const exact = Object.values(einvoices.fields).reduce((sum, { right }) => sum + right, 0);
  const stated = einvoices.files * Object.keys(einvoices.fields).length;
  const figures = [
    ...Object.entries(receipts.fields).map(([name, { share }]) =>
      single(`receipts, ${name} right`, '%', share * 100, { atLeast: targets[name] ?? 0 }),
    ),
    ...gateFigures('receipts', receipts),
    single(`fields of ${einvoices.files} e-invoices exact`, '%', (100 * exact) / stated, {
      atLeast: 100,
    }),
    ...f1Figures('invoice pages without their data', pages),
    ...gateFigures('invoice pages', pages),
    ...f1Figures('made invoices', made),
    ...gateFigures('made invoices', made),
  ];
  return {
    figures,
    misses: [...receipts.misses, ...einvoices.misses, ...pages.misses, ...made.misses],
  };
}

function f1Figures(what: string, { fields }: ReturnType<typeof scoresOf>): Figure[] {
  return Object.entries(fields).map(([name, { f1 }]) => single(`${what}, ${name}`, 'F1', f1));
}

type Gated = Record<'files' | 'passed' | 'right' | 'suppliers', number>;

function gateFigures(what: string, { files, passed, right, suppliers }: Gated): Figure[] {
  return [
    single(`${what} that pass without review`, '%', (100 * passed) / files),
    single(`${what} that pass, total and date right`, '%', (100 * right) / passed, { atLeast: 98 }),
    single(`${what} that pass, supplier right`, '%', (100 * suppliers) / passed),
  ];
}
