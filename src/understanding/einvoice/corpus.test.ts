import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { corpora, readJsonLines } from '../../../test/kit/corpora.ts';
import { readEInvoice } from './read.ts';

const truths = z.array(
  z.object({
    file: z.string(),
    mime: z.string(),
    truth: z.record(z.string(), z.unknown()).default({}),
  }),
);

describe.skipIf(!corpora)('real e-invoices', () => {
  test('are read exactly', async () => {
    const folder = corpora ?? '';
    const all = truths.parse(await readJsonLines(path.join(folder, 'truth/einvoices.jsonl')));
    const stated = all.filter(
      ({ mime, truth }) => mime === 'application/xml' && truth.format !== undefined,
    );
    expect(stated.length).toBeGreaterThan(0);
    for (const { file, truth } of stated) {
      const text = await readFile(path.join(folder, 'einvoices', file), 'utf8');
      const invoice = readEInvoice({ name: file, mediaType: 'application/xml', text });
      expect(
        {
          number: invoice?.invoice_number ?? null,
          date: invoice?.invoice_date ?? null,
          currency: invoice?.currency ?? null,
          seller: invoice?.supplier_name ?? null,
          buyer: invoice?.buyer_name ?? null,
          net: invoice?.subtotal ?? null,
          tax: invoice?.vat_amount ?? null,
          gross: invoice?.total ?? null,
        },
        file,
      ).toEqual(expect.objectContaining(pick(truth)));
    }
  });
});

const compared = ['number', 'date', 'currency', 'seller', 'buyer', 'net', 'tax', 'gross'];

function pick(truth: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(compared.map((name) => [name, truth[name] ?? null]));
}
