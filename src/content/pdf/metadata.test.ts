import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { parsePdfDate, readPdfMetadata } from './metadata.ts';

async function metadataOf(document: PDFDocument) {
  const path = join(await temporaryDirectory(), 'a.pdf');
  writeFileSync(path, await document.save());
  return readPdfMetadata({ path, mediaType: 'application/pdf' });
}

test('reads the information dictionary, pages and the form', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage();
  document.addPage();
  document.setTitle('Jahresbericht – Überblick');
  document.setAuthor('Ada Lovelace');
  document.setProducer('Engine 1');
  document.setCreator('Writer');
  document.setCreationDate(new Date('2024-02-29T10:00:00Z'));
  document.getForm().createTextField('name').addToPage(page);
  expect(await metadataOf(document)).toMatchObject({
    title: 'Jahresbericht – Überblick',
    author: 'Ada Lovelace',
    producer: 'Engine 1',
    application: 'Writer',
    created: '2024-02-29T10:00:00Z',
    pages: 2,
    signed: false,
    form: true,
    raw: { CreationDate: 'D:20240229100000Z' },
  });
});

test.each([
  ["D:20240229100000+01'00'", '2024-02-29T10:00:00+01:00'],
  ["D:20240229100000-05'30", '2024-02-29T10:00:00-05:30'],
  ['D:20240229100000', '2024-02-29T10:00:00'],
  ['D:2024', '2024-01-01'],
  ['20240229', '2024-02-29'],
  ["D:20240229100000Z00'00'", '2024-02-29T10:00:00Z'],
  ['yesterday', undefined],
])('the date %s', (value, date) => {
  expect(parsePdfDate(value)).toBe(date);
});
