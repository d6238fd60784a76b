import { expect, test } from 'vitest';
import { makeInvoices } from '../../../test/kit/made-invoices/index.ts';
import { knownTypes } from '../../domain/known-types.ts';
import { schemas } from '../../domain/schemas/index.ts';
import { openLocalExtractor } from '../../extraction/local.ts';
import { recognise } from '../document-type.ts';
import { judge } from '../gate/index.ts';

const now = new Date('2025-12-31');
const wanted = { seed: 11_000_000, turns: 1 };

async function readAll() {
  return Promise.all(
    makeInvoices(wanted).map(async ({ name, transcription, truth }) => {
      const schema = recognise(transcription, knownTypes()) ?? schemas.generic;
      const extraction = await openLocalExtractor().extract(
        transcription,
        schema,
        new AbortController().signal,
      );
      const wrong = Object.entries(truth).flatMap(([field, value]) =>
        (extraction.fields[field] ?? null) === value ? [] : field,
      );
      return { name, wrong, passes: judge(extraction, transcription, schema, now).valid };
    }),
  );
}

test('a seed makes the same invoices again', () => {
  expect(makeInvoices(wanted)).toEqual(makeInvoices(wanted));
});

test('invented invoices in many languages and layouts', async () => {
  const read = await readAll();
  const withWrong = (field: string) =>
    read.filter(({ wrong }) => wrong.includes(field)).map(({ name }) => name);
  for (const field of ['invoice_date', 'due_date', 'currency', 'subtotal', 'vat_amount', 'total'])
    expect(withWrong(field), field).toEqual([]);
  for (const field of ['invoice_number', 'supplier_name', 'buyer_name'])
    expect(withWrong(field).length, withWrong(field).join()).toBeLessThan(0.05 * read.length);
  expect(read.filter(({ passes }) => passes).length).toBeGreaterThan(0.9 * read.length);
  expect(read.filter(({ passes, wrong }) => passes && wrong.includes('supplier_name'))).toEqual([]);
});
