import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { told, unpack } from '../../../test/kit/unpack.ts';
import { recognise } from '../sniff.ts';

const type = 'application/pdf';

async function pdfWith(files: Record<string, [mimeType: string, content: string]>, padding = 0) {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  for (const [name, [mimeType, content]] of Object.entries(files))
    await pdf.attach(Buffer.from(content), name, { mimeType });
  const bytes = Buffer.from(await pdf.save());
  return Buffer.concat([bytes.subarray(0, 9), comment(padding), bytes.subarray(9)]);
}

/** In a PDF, anything up to the end of a line. */
const comment = (length: number) => Buffer.from(length > 0 ? `%${'x'.repeat(length)}\n` : '');

async function isContainer(bytes: Buffer): Promise<boolean> {
  const path = join(await temporaryDirectory(), 'file.pdf');
  await writeFile(path, bytes);
  return (await recognise(Readable.from([bytes]), async () => path)).isContainer;
}

test('unpacks attached files', async () => {
  const file = await pdfWith({
    'notes.txt': ['text/plain', 'the notes'],
    'C:\\plans\\b.csv': ['text/csv', 'a,b'],
  });
  expect(await isContainer(file)).toBe(true);
  const { entries } = await unpack(type, file);
  expect(entries.map(told).toSorted()).toEqual([
    ['b.csv', 'a,b'],
    ['notes.txt', 'the notes'],
  ]);
});

test('unpacks a file that is pinned to a page', async () => {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage();
  const { context } = pdf;
  const content = context.register(context.flateStream('pinned', { Type: 'EmbeddedFile' }));
  const file = context.register(
    context.obj({ Type: 'Filespec', F: PDFString.of('pin.txt'), EF: { F: content } }),
  );
  const pin = { Type: 'Annot', Subtype: 'FileAttachment', Rect: [10, 10, 30, 30], FS: file };
  page.node.set(PDFName.of('Annots'), context.obj([context.register(context.obj(pin))]));
  const bytes = Buffer.from(await pdf.save());
  expect(await isContainer(bytes)).toBe(true);
  expect((await unpack(type, bytes)).entries.map(told)).toEqual([['pin.txt', 'pinned']]);
});

test('finds files behind the first bytes of a large PDF', async () => {
  const file = await pdfWith({ 'notes.txt': ['text/plain', 'the notes'] }, 200_000);
  expect(file.indexOf('/EmbeddedFile')).toBeGreaterThan(64 * 1024);
  expect(await isContainer(file)).toBe(true);
});

test('a PDF without files, or with the data of an e-invoice only, has nothing to unpack', async () => {
  expect(await isContainer(await pdfWith({}))).toBe(false);
  expect(await isContainer(await pdfWith({ 'factur-x.xml': ['text/xml', '<a/>'] }))).toBe(false);
});
