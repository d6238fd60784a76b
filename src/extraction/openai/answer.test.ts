import { expect, test } from 'vitest';
import { documentSchema } from '../../domain/schema/index.ts';
import { readAnswer } from './answer.ts';

const schema = documentSchema.parse({
  name: 'invoice',
  version: 1,
  title: 'Invoice',
  fields: {
    number: { kind: 'text', description: '' },
    date: { kind: 'date', description: '' },
    total: { kind: 'amount', description: '' },
    currency: { kind: 'currency', description: '' },
    iban: { kind: 'iban', description: '' },
    items: { kind: 'lines', description: '', columns: { name: 'text', price: 'amount' } },
  },
  critical: [],
  rules: [],
  prompt: '',
});

function read(fields: object, evidence: object = {}) {
  return readAnswer(
    JSON.stringify({ extraction_successful: true, confidence: 'high', fields, evidence }),
    schema,
  );
}

test.each<[string, object, object]>([
  ['text', { number: ' A-1 ' }, { number: 'A-1' }],
  ['a date', { date: '2024-02-29' }, { date: '2024-02-29' }],
  ['an amount', { total: -12.5 }, { total: -12.5 }],
  [
    'a code with spaces',
    { iban: 'de89 3704 0044 0532 0130 00', currency: 'eur' },
    { iban: 'DE89370400440532013000', currency: 'EUR' },
  ],
  [
    'lines',
    {
      items: [
        { name: 'Flour', price: 2 },
        { name: null, price: null },
      ],
    },
    { items: [{ name: 'Flour', price: 2 }] },
  ],
  ['nothing', { number: null, date: '', items: [] }, {}],
  ['what nobody asked for', { colour: 'red', constructor: 'x' }, {}],
])('takes %s', (_, told, fields) => {
  expect(read(told)).toMatchObject({ fields, problems: [] });
  expect(read(told).fields).toEqual(fields);
});

test.each<[string, object]>([
  ['a date that never was', { date: '2026-02-30' }],
  ['a date in words', { date: 'March 3rd' }],
  ['an amount in words', { total: '12.50' }],
  ['an absurd amount', { total: 1e300 }],
  ['a currency that is none', { currency: 'Euros' }],
  ['lines that are none', { items: 'many' }],
  ['a line that is none', { items: ['Flour'] }],
  ['a cell that is none', { items: [{ price: 'cheap' }] }],
])('refuses %s and says so', (_, told) => {
  const { fields, problems } = read(told);
  expect(fields).toEqual({});
  expect(problems).toHaveLength(1);
});

test('quotes are kept for values only', () => {
  expect(read({ number: 'A-1' }, { number: 'No. A-1', total: '12' }).quotes).toEqual({
    number: 'No. A-1',
  });
});

test.each([
  ['{"a":1,"a":2}', 'twice'],
  [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'nested'],
  ['[1]', 'no JSON object'],
  ['{"fields":{"total":NaN}}', 'JSON'],
])('%s is no answer', (content, problem) => {
  expect(readAnswer(content, schema)).toMatchObject({
    successful: false,
    problems: [expect.stringContaining(problem)],
  });
});
