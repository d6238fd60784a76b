import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLines, makePdf } from '../../../../test/kit/documents.ts';
import { mailOf } from '../../../../test/kit/mail.ts';
import { officeOf } from '../../../../test/kit/office.ts';
import { temporaryDirectory } from '../../../../test/kit/temporary-directory.ts';
import { zipOf } from '../../../../test/kit/zip.ts';
import { sniff } from '../../../content/sniff.ts';
import { openSandbox } from '../../../sandbox/sandbox.ts';
import { openLocalReader } from './index.ts';

const sandbox = openSandbox({ processes: 1, memoryMb: 2048, recycleAfter: 1000 });
const limits = { maxPages: 20, maxPixels: 10_000_000, pageTimeoutMs: 60_000 };
const reader = openLocalReader({ sandbox, ...limits, languages: [] });
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** A picture of a text, drawn by the PDF engine so that no font of the machine is needed. */
let png: Buffer;
let other: Buffer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inline-pictures-'));
  png = await draw('SCANNED RECEIPT 4711');
  other = await draw('SECOND PICTURE 0815');
});

async function draw(text: string): Promise<Buffer> {
  const path = join(folder, 'drawn.pdf');
  await makePdf(path, (pdf) => addLines(pdf, [text]));
  const input = { path, mediaType: 'application/pdf', page: 1, dpi: 150, maxPixels: 4_000_000 };
  const { png: page } = await sandbox.run('content.png', input, { timeoutMs: 60_000 });
  return sharp(Buffer.from(page)).extract({ left: 0, top: 0, width: 800, height: 300 }).toBuffer();
}

async function read(bytes: Buffer | string, options: { minPixels?: number; most?: number } = {}) {
  const own = await temporaryDirectory();
  const path = join(own, 'file');
  await writeFile(path, bytes);
  const directory = join(own, 'pictures');
  await mkdir(directory);
  const mediaType = await sniff(createReadStream(path), async () => path);
  const pictures = { directory, minPixels: 100_000, most: 10, ...options };
  return reader.read({ path, mediaType, pictures }, AbortSignal.timeout(60_000));
}

const textIn = async (bytes: Buffer | string, options = {}) =>
  (await read(bytes, options)).pages.map(({ text }) => text).join('\f');

const inFrame = /\[text in picture\]\n.*SCANNED RECEIPT 4711\s*\n\[end of picture\]/;

const paragraph = (inner: string) => `<w:p><w:r>${inner}</w:r></w:p>`;
const word = (body: string, media: Record<string, Buffer>) =>
  officeOf('word', [
    {
      name: 'word/document.xml',
      body: `<w:document>${body}</w:document>`,
      refers: Object.keys(media).map((name) => ['image', `word/media/${name}`]),
    },
    ...Object.entries(media).map(([name, bytes]) => ({ name: `word/media/${name}`, body: bytes })),
  ]);
const shown = (id: string) => `<w:drawing><a:blip r:embed="${id}"/></w:drawing>`;
const before = paragraph('<w:t>Before</w:t>');
const after = paragraph('<w:t>After</w:t>');

describe('the text of pictures is joined at their place', () => {
  const joined = /^Before\n\[text in picture\]\n.*4711\s*\n\[end of picture\]\n+After/;

  test('in Word documents', async () => {
    const file = word(`${before}${paragraph(shown('r1'))}${after}`, { 'a.png': png });
    const { pages, problems } = await read(file);
    expect(pages[0]?.text).toMatch(joined);
    expect(problems).toEqual([]);
    const [{ at = 0, length = 0 } = {}] = pages[0]?.pictures ?? [];
    expect(pages[0]?.text.slice(at, at + length)).toMatch(/^\[text in[\s\S]+of picture\]$/);
  });

  test('in presentations, on their slide', async () => {
    const slide = (text: string) => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
    const picture = '<p:sld><p:pic><a:blip r:embed="r1"/></p:pic></p:sld>';
    const file = officeOf('ppt', [
      {
        name: 'ppt/presentation.xml',
        body: '<p:presentation><p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r2"/></p:presentation>',
        refers: [
          ['slide', 'ppt/slides/slide1.xml'],
          ['slide', 'ppt/slides/slide2.xml'],
        ],
      },
      { name: 'ppt/slides/slide1.xml', body: slide('Words only') },
      {
        name: 'ppt/slides/slide2.xml',
        body: picture,
        refers: [['image', 'ppt/media/a.png']],
      },
      { name: 'ppt/media/a.png', body: png },
    ]);
    const { pages } = await read(file);
    expect(pages[0]?.text).toBe('Words only');
    expect(pages[1]?.text).toMatch(inFrame);
  });

  test('in workbooks, on their sheet', async () => {
    const file = officeOf('xl', [
      {
        name: 'xl/workbook.xml',
        body: '<workbook><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>',
        refers: [['worksheet', 'xl/worksheets/sheet1.xml']],
      },
      {
        name: 'xl/worksheets/sheet1.xml',
        body: '<worksheet><sheetData/></worksheet>',
        refers: [['drawing', 'xl/drawings/drawing1.xml']],
      },
      {
        name: 'xl/drawings/drawing1.xml',
        body: '<xdr:wsDr><xdr:pic><a:blip r:embed="r1"/></xdr:pic></xdr:wsDr>',
        refers: [['image', 'xl/media/a.png']],
      },
      { name: 'xl/media/a.png', body: png },
    ]);
    expect(await textIn(file)).toMatch(inFrame);
  });

  test('in OpenDocument files', async () => {
    const body =
      '<o><text:p>Before</text:p><text:p><draw:image xlink:href="Pictures/a.png"/></text:p><text:p>After</text:p></o>';
    const file = zipOf([
      { name: 'mimetype', body: 'application/vnd.oasis.opendocument.text', stored: true },
      { name: 'content.xml', body },
      { name: 'Pictures/a.png', body: png },
    ]);
    expect(await textIn(file)).toMatch(joined);
  });

  test('in RTF documents', async () => {
    const picture = `{\\*\\shppict{\\pict\\pngblip ${png.toString('hex')}}}`;
    expect(await textIn(`{\\rtf1 Before\\par ${picture}\\par After}`)).toMatch(joined);
  });

  test('in web pages', async () => {
    const source = `data:image/png;base64,${png.toString('base64')}`;
    const page = `<html><p>Before</p><p><img alt="x" src="${source}"></p><p>After</p></html>`;
    expect(await textIn(page)).toMatch(inFrame);
  });

  test('in books', async () => {
    const file = zipOf([
      { name: 'mimetype', body: 'application/epub+zip', stored: true },
      { name: 'META-INF/container.xml', body: '<c><rootfile full-path="o/b.opf"/></c>' },
      {
        name: 'o/b.opf',
        body: '<p><item id="a" href="t/1.html"/><itemref idref="a"/></p>',
      },
      { name: 'o/t/1.html', body: '<html><p>Before</p><img src="../i/a%20b.png"></html>' },
      { name: 'o/i/a b.png', body: png },
    ]);
    expect(await textIn(file)).toMatch(inFrame);
  });

  const inlineParts = (text: string) => [
    { type: 'text/plain', body: text },
    { type: 'text/html', body: '<p>Before</p><img src="cid:a@b"><p>After</p>' },
    { type: 'image/png', body: png, fields: ['Content-ID: <a@b>'] },
  ];

  test('in messages, where the plain text names them', async () => {
    const mail = mailOf(inlineParts('Before\n[cid:a@b]\nAfter'));
    expect(await textIn(mail)).toMatch(/Before\n\[text in picture\][\s\S]+4711[\s\S]+After/);
  });

  test('in messages, at the end of a plain text that does not', async () => {
    const mail = mailOf(inlineParts('Before\nAfter'));
    expect(await textIn(mail)).toMatch(/Before\nAfter[\s\S]*\[text in picture\][\s\S]+4711/);
  });

  test('in PDFs with a text layer, with their words on the page', async () => {
    const pdf = await PDFDocument.create();
    const drawn = await addLines(pdf, ['Above the picture', 'there are words']);
    drawn.drawImage(await pdf.embedPng(png), { x: 10, y: 50, width: 400, height: 150 });
    const { pages } = await read(Buffer.from(await pdf.save()));
    const [page] = pages;
    expect(page?.text).toMatch(/^Above the picture\nthere are words\n\[text in picture\]/);
    expect(page?.native).toBe(true);
    const [picture] = page?.pictures ?? [];
    expect(picture?.box?.map(Math.round)).toEqual([10, 100, 410, 250]);
    const [left, top, right, bottom] = page?.words.find(({ text }) => text === '4711')?.box ?? [];
    expect(left).toBeGreaterThan(10);
    expect(top).toBeGreaterThan(100);
    expect(right).toBeLessThan(410);
    expect(bottom).toBeLessThan(250);
  });
});

test('a picture that is repeated is read once', async () => {
  const twice = paragraph(shown('r1')) + paragraph(shown('r2')) + paragraph(shown('r1'));
  const text = await textIn(word(before + twice, { 'a.png': png, 'b.png': png }));
  expect(text.match(/4711/g)).toHaveLength(1);
  expect(text).not.toContain('\ufffc');
});

test('pictures below the size limit are not read', async () => {
  const file = word(before + paragraph(shown('r1')), { 'a.png': png });
  expect(await textIn(file, { minPixels: 240_001 })).toBe('Before');
});

test('pictures beyond the limit are reported', async () => {
  const both = paragraph(shown('r1')) + paragraph(shown('r2'));
  const { pages, problems } = await read(word(both, { 'a.png': png, 'b.png': other }), { most: 1 });
  expect(pages[0]?.text).toMatch(inFrame);
  expect(pages[0]?.text).not.toMatch(/0815/);
  expect(problems).toEqual([
    { code: 'OCR_SKIPPED', message: expect.stringMatching(/^1 of 2 pictures .*_PICTURES/) },
  ]);
});

test('a damaged picture is reported, and the text around it is read', async () => {
  const damaged = Buffer.concat([png.subarray(0, png.length / 2)]);
  const file = word(before + paragraph(shown('r1')) + after, { 'a.png': damaged });
  const { pages, problems } = await read(file);
  expect(pages[0]?.text).toBe('Before\nAfter');
  expect(problems).toEqual([
    { code: 'OCR_SKIPPED', message: expect.stringMatching(/^1 of 1 pictures/) },
  ]);
});

test('a page whose text layer lies on its picture is not read again', async () => {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([595, 842]);
  page.drawImage(await pdf.embedPng(png), { x: 50, y: 400, width: 500, height: 300 });
  for (const [i, text] of ['one two', 'three four', 'five six'].entries())
    page.drawText(text, { x: 80, y: 650 - 40 * i });
  expect(await textIn(Buffer.from(await pdf.save()))).not.toMatch(/4711/);
});

test('without OCR, pictures are left alone', async () => {
  const path = join(await temporaryDirectory(), 'file.docx');
  await writeFile(path, word(before + paragraph(shown('r1')), { 'a.png': png }));
  const mediaType = await sniff(createReadStream(path), async () => path);
  const directory = await temporaryDirectory();
  const pictures = { directory, minPixels: 1, most: 10 };
  const { pages, problems } = await reader.read(
    { path, mediaType, pictures, noOcr: true },
    AbortSignal.timeout(60_000),
  );
  expect([pages[0]?.text, problems]).toEqual(['Before', []]);
});
