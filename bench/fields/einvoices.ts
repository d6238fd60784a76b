import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { PermanentError } from '../../src/errors.ts';
import { readEInvoice } from '../../src/understanding/einvoice/read.ts';
import { readJsonLines } from '../../test/kit/corpora.ts';
import { embeddedXml } from './embedded-xml.ts';

export const truths = z.array(
  z.object({
    file: z.string(),
    mime: z.string(),
    truth: z.record(z.string(), z.unknown()).default({}),
  }),
);

export const fieldNames = {
  number: 'invoice_number',
  date: 'invoice_date',
  due_date: 'due_date',
  currency: 'currency',
  seller: 'supplier_name',
  buyer: 'buyer_name',
  net: 'subtotal',
  tax: 'vat_amount',
  gross: 'total',
} as const;

/** Compares e-invoices with the values an independent parser reads from their XML. */
export async function measureEInvoices(corpora: string) {
  const all = truths.parse(await readJsonLines(path.join(corpora, 'truth/einvoices.jsonl')));
  const wrong = new Map<string, number>();
  const misses: string[] = [];
  let files = 0;
  for (const { file, mime, truth } of all) {
    if (truth.format === undefined) continue;
    files++;
    const invoice = await readOne(path.join(corpora, 'einvoices', file), mime);
    for (const [name, field] of Object.entries(fieldNames)) {
      if ((invoice?.[field] ?? null) === (truth[name] ?? null)) continue;
      wrong.set(name, (wrong.get(name) ?? 0) + 1);
      misses.push(
        `${file} ${name}: ${JSON.stringify(invoice?.[field])} instead of ${JSON.stringify(truth[name])}`,
      );
    }
  }
  const names = Object.keys(fieldNames);
  return {
    files,
    misses,
    fields: Object.fromEntries(
      names.map((name) => [name, { right: files - (wrong.get(name) ?? 0) }]),
    ),
  };
}

async function readOne(file: string, mime: string) {
  try {
    const bytes = await readFile(file);
    const text = mime === 'application/pdf' ? await embeddedXml(bytes) : bytes.toString('utf8');
    return readEInvoice({ name: path.basename(file), mediaType: 'application/xml', text });
  } catch (error) {
    if (error instanceof PermanentError) return undefined;
    throw error;
  }
}
