import path from 'node:path';
import { openLocalReader } from '../../src/providers/ocr/local/index.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { readJsonLines } from '../../test/kit/corpora.ts';
import { truths } from './einvoices.ts';
import { type InvoiceTruth, scoreInvoice, scoresOf } from './invoice-score.ts';

/**
 * Reads the pages of hybrid e-invoices without their embedded data, and compares the result with
 * that data.
 */
export async function measurePages(corpora: string) {
  const all = truths.parse(await readJsonLines(path.join(corpora, 'truth/einvoices.jsonl')));
  const hybrid = all.filter(
    ({ mime, truth }) => mime === 'application/pdf' && truth.format !== undefined,
  );
  const sandbox = openSandbox({ processes: 1, memoryMb: 2048, recycleAfter: 100 });
  const limits = { maxPages: 20, maxPixels: 40_000_000, languages: [], pageTimeoutMs: 60_000 };
  const reader = openLocalReader({ sandbox, ...limits });
  const rows: Awaited<ReturnType<typeof scoreInvoice>>[] = [];
  try {
    for (const { file, mime, truth } of hybrid) {
      const source = { path: path.join(corpora, 'einvoices', file), mediaType: mime };
      const read = await reader.read(source, AbortSignal.timeout(60_000));
      rows.push(await scoreInvoice(file, { ...read, embedded: [] }, known(truth)));
    }
  } finally {
    await sandbox.close();
  }
  return scoresOf(rows);
}

/**
 * Most e-invoices state the due date only in free text, so a date on the page cannot be checked
 * against the data.
 */
function known({ due_date, ...truth }: InvoiceTruth): InvoiceTruth {
  return due_date == null ? truth : { ...truth, due_date };
}
