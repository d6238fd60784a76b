import { expect, test } from 'vitest';
import { plain, transcriptionOf, typeset } from '../../test/kit/pages.ts';
import { chooseSchema } from './document-type.ts';

const chosen = (text: string) => chooseSchema(transcriptionOf(plain(text))).name;

test('data inside decides', () => {
  const file = {
    name: 'factur-x.xml',
    mediaType: 'text/xml',
    text: '<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="x"/>',
  };
  expect(chooseSchema(transcriptionOf(plain('Hello'), file)).name).toBe('invoice');
});

test.each([
  ['invoice', 'INVOICE\nInvoice no: 7\nTotal due  100.00'],
  ['invoice', 'Rechnung Nr. 7\nGesamtbetrag 100,00 EUR'],
  ['invoice', 'FACTURE N° 7\nTotal TTC 100,00 €'],
  ['receipt', 'SHOP\nTOTAL 10.00\nCASH 20.00\nCHANGE 10.00'],
  ['receipt', 'Bäckerei\nSumme 10,00\nBar 20,00\nRückgeld 10,00'],
  ['generic', 'Dear Sir,\nwe meet on Monday.'],
  ['generic', ''],
])('%s', (name, text) => expect(chosen(text)).toBe(name));

test('a schema can be forced', () => {
  expect(chooseSchema(transcriptionOf(plain('INVOICE\nTotal 1.00')), 'generic').name).toBe('generic');
});

test('a till roll is narrow', () => {
  const roll = typeset(['SHOP', ...Array.from({ length: 30 }, () => 'TEA  1.00'), 'TOTAL   30.00'].join('\n'));
  expect(chooseSchema(transcriptionOf(roll)).name).toBe('receipt');
});
