import { PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { makePdf } from '../../../test/contract/ocr.ts';
import { readTextRuns } from './content-stream.ts';
import { parseToUnicode } from './fonts.ts';
import { readPdf } from './read-pdf.ts';

test('reads lines from top to bottom', async () => {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([300, 300]);
  page.drawText('Total: 10,00 €', { x: 20, y: 40, size: 10, font });
  page.drawText('Rechnung für Müller', { x: 20, y: 250, size: 10, font });
  const [read] = await readPdf(await pdf.save());
  expect(read?.text).toBe('Rechnung für Müller\nTotal: 10,00 €');
  expect(read?.words[0]).toMatchObject({ text: 'Rechnung', box: [20, 40, 60, 50] });
});

test('a page without text cannot be read', async () => {
  const [page] = await readPdf(await makePdf(''));
  expect(page).toMatchObject({ text: '', words: [], quality: { score: 0.2 } });
});

test('reads by the map of a font', async () => {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage();
  const cmap = pdf.context.flateStream(
    '1 beginbfrange <0001> <0003> <0041> endbfrange 1 beginbfchar <0009> <D83EDDFE> endbfchar',
  );
  const font = pdf.context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    ToUnicode: pdf.context.register(cmap),
  });
  page.node.setFontDictionary(PDFName.of('F9'), pdf.context.register(font));
  page.node.set(
    PDFName.of('Contents'),
    pdf.context.register(pdf.context.stream('BT /F9 10 Tf <0001000200030009> Tj ET')),
  );
  const [read] = await readPdf(await pdf.save());
  expect(read?.text).toBe('ABC🧾');
});

test.each([
  [
    '<01> <02> <0061>',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    '<01> <02> [<0061> <007A>]',
    [
      [1, 'a'],
      [2, 'z'],
    ],
  ],
])('understands the range %s', (range, expected) => {
  expect([...parseToUnicode(`beginbfrange ${range} endbfrange`)]).toEqual(expected);
});

test('understands escapes, gaps and line feeds', () => {
  const content =
    'BT /F1 8 Tf 12 TL 1 0 0 1 5 90 Tm [(a\\(b\\)) -20 (c) -400 (\\144)] TJ T* (next) Tj 3 -4 Td (moved) Tj ET';
  expect(readTextRuns(content, (_, bytes) => bytes)).toEqual([
    { text: 'a(b)c d', x: 5, y: 90, size: 8 },
    { text: 'next', x: 5, y: 78, size: 8 },
    { text: 'moved', x: 8, y: 74, size: 8 },
  ]);
});
