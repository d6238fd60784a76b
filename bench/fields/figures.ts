import path from 'node:path';
import type { Transcription } from '../../src/domain/transcription.ts';
import { type Figure, single } from '../speed/figure.ts';
import { measurePages } from './einvoice-pages.ts';
import { measureEInvoices } from './einvoices.ts';
import { measureReceipts } from './receipts.ts';

/** Receipts, exact after folding case, punctuation and white space. */
const targets: Readonly<Record<string, number>> = { total: 90, date: 95, company: 75, address: 60 };

/** How many fields the local extractor reads right, and how much of what the gate lets through is right. */
export async function measureFields(
  corpora: string,
  read: ReadonlyMap<string, Transcription>,
): Promise<{ figures: Figure[]; misses: string[] }> {
  const receipts = await measureReceipts(path.join(corpora, 'truth/sroie.jsonl'), read);
  const einvoices = await measureEInvoices(corpora);
  const pages = await measurePages(corpora);
  const exact = Object.values(einvoices.fields).reduce((sum, { right }) => sum + right, 0);
  const stated = einvoices.files * Object.keys(einvoices.fields).length;
  const figures = [
    ...Object.entries(receipts.fields).map(([name, { share }]) =>
      single(`receipts, ${name} right`, '%', share * 100, { atLeast: targets[name] ?? 0 }),
    ),
    ...gateFigures('receipts', receipts),
    single(`fields of ${einvoices.files} e-invoices exact`, '%', (100 * exact) / stated, { atLeast: 100 }),
    ...Object.entries(pages.fields).map(([name, { f1 }]) =>
      single(`invoice pages without their data, ${name}`, 'F1', f1),
    ),
    ...gateFigures('invoice pages', pages),
  ];
  return { figures, misses: [...receipts.misses, ...einvoices.misses, ...pages.misses] };
}

function gateFigures(what: string, { files, passed, right }: { files: number; passed: number; right: number }) {
  return [
    single(`${what} that pass without review`, '%', (100 * passed) / files),
    single(`${what} that pass, total and date right`, '%', (100 * right) / passed, { atLeast: 98 }),
  ];
}
