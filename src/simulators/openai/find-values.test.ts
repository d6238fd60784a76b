import { expect, test } from 'vitest';
import { documentSchema } from '../../domain/schema/index.ts';
import { toStrictJsonSchema } from '../../extraction/openai/json-schema.ts';
import { findValues } from './find-values.ts';
import { fieldSchema } from './request.ts';

const kinds = {
  invoice_number: 'text',
  invoice_date: 'date',
  due_date: 'date',
  supplier_name: 'text',
  vat_id: 'vat_id',
  currency: 'currency',
  subtotal: 'amount',
  vat_amount: 'amount',
  total: 'amount',
} as const;
const columns = {
  description: 'text',
  quantity: 'amount',
  unit_price: 'amount',
  amount: 'amount',
} as const;
const schema = documentSchema.parse({
  name: 'invoice',
  version: 1,
  title: 'Invoice',
  fields: {
    ...Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, { kind, description: '' }]),
    ),
    line_items: { kind: 'lines', description: '', columns },
  },
  critical: [],
  rules: [],
  prompt: '',
});
const asked = fieldSchema.parse(toStrictJsonSchema(schema));

test('finds values by their labels and notations', () => {
  const text = [
    'Supplier: Mill & Sons',
    'VAT ID DE123456789',
    'Invoice no. 4711/26',
    'Invoice date 14.03.2026',
    'Due date: 2026-04-14',
    'Wheat flour 2 600.00 1,200.00',
    'Subtotal 1.200,00 €',
    'VAT 19 % 228,00',
    'Total: 1,428.00',
  ].join('\n');
  expect(findValues(text, asked)).toMatchObject({
    extraction_successful: true,
    confidence: 'high',
    missing_fields: [],
    fields: {
      invoice_number: '4711/26',
      invoice_date: '2026-03-14',
      due_date: '2026-04-14',
      supplier_name: 'Mill & Sons',
      vat_id: 'DE123456789',
      currency: 'EUR',
      subtotal: 1200,
      vat_amount: 228,
      total: 1428,
      line_items: [{ description: 'Wheat flour', quantity: 2, unit_price: 600, amount: 1200 }],
    },
    evidence: { total: '1,428.00', invoice_date: '14.03.2026' },
  });
});

test('finds nothing where nothing is', () => {
  expect(findValues('Dear Sir or Madam', asked)).toMatchObject({
    extraction_successful: false,
    confidence: 'low',
  });
});
