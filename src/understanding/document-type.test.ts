import { describe, expect, test } from 'vitest';
import { plain, transcriptionOf, typeset } from '../../test/kit/pages.ts';
import { knownTypes } from '../domain/known-types.ts';
import { type DocumentSchema, documentSchema } from '../domain/schema/index.ts';
import type { Recognition } from '../domain/schema/recognition.ts';
import type { Transcription } from '../domain/transcription.ts';
import { recognise } from './document-type.ts';

const nameOf = (transcription: Transcription, own: DocumentSchema[] = []) =>
  recognise(transcription, knownTypes(own))?.name;
const chosen = (text: string, ...own: DocumentSchema[]) =>
  nameOf(transcriptionOf(plain(text)), own);

test('data inside decides', () => {
  const file = {
    name: 'factur-x.xml',
    mediaType: 'text/xml',
    text: '<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="x"/>',
  };
  expect(nameOf(transcriptionOf(plain('Hello'), file))).toBe('invoice');
});

test.each([
  ['invoice', 'INVOICE\nInvoice no: 7\nTotal due  100.00'],
  ['invoice', 'Rechnung Nr. 7\nGesamtbetrag 100,00 EUR'],
  ['invoice', 'FACTURE N° 7\nTotal TTC 100,00 €'],
  ['receipt', 'SHOP\nTOTAL 10.00\nCASH 20.00\nCHANGE 10.00'],
  ['receipt', 'Bäckerei\nSumme 10,00\nBar 20,00\nRückgeld 10,00'],
  [undefined, 'Dear Sir,\nwe meet on Monday.'],
  [undefined, ''],
])('%s', (name, text) => expect(chosen(text)).toBe(name));

test('a book or a law that mentions bills, totals and prices is no invoice', () => {
  const sentence =
    'He paid the bill, and in total the journey came to $12.50, which he noted on the invoice.';
  const book = [
    "(transcriber's note)",
    ...Array.from({ length: 5 }, () => sentence),
    'Marks  Factor  Total',
    'See note 4 on page 1,250.00',
  ];
  expect(chosen(book.join('\n'))).toBeUndefined();
});

test('a document that names itself an invoice behind its beginning is none', () => {
  const chapters = Array.from({ length: 250 }, (_, i) => `Line ${i} of a report`);
  expect(chosen([...chapters, 'Invoice', 'Total  12.50'].join('\n'))).toBeUndefined();
});

test('a till roll is narrow', () => {
  const roll = typeset(
    ['SHOP', ...Array.from({ length: 30 }, () => 'TEA  1.00'), 'TOTAL   30.00'].join('\n'),
  );
  expect(nameOf(transcriptionOf(roll))).toBe('receipt');
});

const own = (name: string, ...recognise: Recognition[]) =>
  documentSchema.parse({
    name,
    version: 1,
    title: name,
    fields: { number: { kind: 'text', description: '' } },
    critical: [],
    rules: [],
    prompt: '',
    recognise,
  });

describe('an own type', () => {
  const invoiceText = 'INVOICE\nInvoice no: 7\nMeter reading 4711\nTotal due  100.00';

  test('is known by its words, however they are printed, and before those of signs alone', () => {
    const bill = own('utility-bill', { any: ['Zählerstand', 'meter reading'] });
    expect(chosen(invoiceText, bill)).toBe('utility-bill');
    expect(chosen('ZAHLERSTAND: 12', bill)).toBe('utility-bill');
    expect(chosen('INVOICE\nInvoice no: 7\nTotal due  100.00', bill)).toBe('invoice');
  });

  test('is known when all of one way hold and none speaks against it', () => {
    const bill = own('bill', { all: ['meter reading', '@money'], none: ['reminder'] });
    expect(chosen(invoiceText, bill)).toBe('bill');
    expect(chosen('Meter reading 4711', bill)).toBeUndefined();
    expect(chosen(`${invoiceText}\nReminder`, bill)).toBe('invoice');
  });

  test('of which more words stand there is the better one', () => {
    const [vague, exact] = [
      own('a', { any: ['policy'] }),
      own('b', { all: ['policy', 'premium'] }),
    ];
    expect(chosen('Policy 7\nPremium', vague, exact)).toBe('b');
  });

  test('of a shipped name stands in for it, and without signs is recognised by nothing', () => {
    expect(chosen(invoiceText, own('invoice'))).toBeUndefined();
  });

  test('is looked for where documents begin', () => {
    const late = Array.from({ length: 250 }, (_, i) => `line ${i}`)
      .concat('Policy')
      .join('\n');
    expect(chosen(late, own('policy', { any: ['policy'] }))).toBeUndefined();
  });
});
