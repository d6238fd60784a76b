import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readOffice } from '../../../test/kit/office.ts';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { zipOf } from '../../../test/kit/zip.ts';
import { recognise } from '../sniff.ts';
import { unsupportedType } from './index.ts';

const zipWith = (...names: string[]) => zipOf(names.map((name) => ({ name, body: 'x' })));

test.each([
  ['application/vnd.visio', zipWith('[Content_Types].xml', 'visio/document.xml')],
  ['application/vnd.ms-xpsdocument', zipWith('[Content_Types].xml', 'FixedDocSeq.fdseq')],
  ['image/vnd.djvu', Buffer.from('AT&TFORM\0\0\0\x10DJVMDIRM')],
  ['image/vnd.dwg', Buffer.from('AC1027\0\0\0\0\0')],
  ['application/onenote', Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex')],
])('%s is reported as what it is, and never unpacked', async (type, bytes) => {
  const path = join(await temporaryDirectory(), 'file');
  writeFileSync(path, bytes);
  const found = await recognise(Readable.from([bytes]), async () => path);
  expect(found).toEqual({ mediaType: type, isContainer: false });
  expect(unsupportedType(type)).toMatchObject({
    code: 'UNSUPPORTED_TYPE',
    message: expect.stringMatching(/PDF/),
  });
});

test.each([
  ['a folder of that name', zipWith('visio/plan.txt', 'Index/list.txt')],
  [
    'such a file that is stored in it',
    zipOf([{ name: 'a.vsdx', body: zipWith('[Content_Types].xml', 'visio/document.xml') }]),
  ],
])('an archive with %s is an archive', async (_, bytes) => {
  const path = join(await temporaryDirectory(), 'file');
  writeFileSync(path, bytes);
  const found = await recognise(Readable.from([bytes]), async () => path);
  expect(found).toEqual({ mediaType: 'application/zip', isContainer: true });
});

test('an iWork document with a preview is read from it', async () => {
  const preview = readFileSync(join(import.meta.dirname, '../../../samples/invoice.pdf'));
  const file = zipOf([
    { name: 'Index/Document.iwa', body: 'x' },
    { name: 'QuickLook/Preview.pdf', body: preview },
  ]);
  const { mediaType, pages } = await readOffice(file);
  expect(mediaType).toBe('application/vnd.apple.pages');
  expect(pages[0]).toMatch(/invoice/i);
});

test('an iWork document without a preview names the export to use', async () => {
  const file = zipWith('Index/Document.iwa', 'preview.jpg');
  await expect(readOffice(file)).rejects.toMatchObject({
    code: 'UNSUPPORTED_TYPE',
    message: expect.stringContaining('Export it as PDF from Pages'),
  });
});
