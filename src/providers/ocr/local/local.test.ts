import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLines, invoiceLines, invoicePdf, makePdf } from '../../../../test/kit/documents.ts';
import { pagesToRepair, transcription } from '../../../domain/transcription.ts';
import { openSandbox } from '../../../sandbox/sandbox.ts';
import { openLocalReader } from './index.ts';

const sandbox = openSandbox({ processes: 1, memoryMb: 2048, recycleAfter: 100 });
const limits = { maxPages: 5, maxPixels: 4_000_000 };
const reader = openLocalReader({ sandbox, ...limits, languages: [], pageTimeoutMs: 60_000 });
const signal = new AbortController().signal;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-reader-'));
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const read = (path: string, mediaType: string) => reader.read({ path, mediaType }, signal);
const readPdf = (path: string) => read(path, 'application/pdf');

async function refusal(path: string, mediaType: string): Promise<unknown> {
  return await read(path, mediaType).then(
    () => 'read',
    (error) => error.code,
  );
}

async function write(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** The invoice as a scan. */
async function scan(): Promise<Buffer> {
  const path = await invoicePdf(folder);
  const input = {
    path,
    mediaType: 'application/pdf',
    page: 1,
    dpi: 150,
    maxPixels: limits.maxPixels,
  };
  return Buffer.from((await sandbox.run('content.png', input, { timeoutMs: 60_000 })).png);
}

describe('PDFs', () => {
  test('are read by their text, each word with its box', async () => {
    const result = await readPdf(await invoicePdf(folder));
    expect(transcription.parse(result)).toEqual(result);
    const [page] = result.pages;
    expect(page).toMatchObject({
      number: 1,
      width: 420,
      height: 300,
      native: true,
      quality: { score: 1, defects: [] },
    });
    expect(page?.text.split('\n')).toEqual(invoiceLines);
    const [left, top, right, bottom] =
      page?.words.find(({ text }) => text === 'Northwind')?.box ?? [];
    expect(left).toBeCloseTo(30, -1);
    expect(top).toBeGreaterThan(300 - 250 + 28 - 14);
    expect(bottom).toBeLessThan(300 - 250 + 28 + 5);
    expect(right).toBeGreaterThan(80);
  });

  test('are opened by their password, also where a page can only be seen', async () => {
    const image = await scan();
    const path = await makePdf(join(folder, 'locked.pdf'), async (pdf) => {
      await addLines(pdf, ['Behind a password']);
      pdf.addPage([420, 300]).drawImage(await pdf.embedPng(image), { width: 420, height: 300 });
      await pdf.encrypt({ userPassword: 'geöffnet', ownerPassword: 'owner' });
    });
    const file = { path, mediaType: 'application/pdf' };
    const [text, seen] = (await reader.read({ ...file, password: 'geöffnet' }, signal)).pages;
    expect(text?.text).toContain('Behind a password');
    expect(seen).toMatchObject({ native: false, text: expect.stringContaining('Northwind') });
    for (const password of [undefined, 'geoffnet', ''])
      await expect(reader.read({ ...file, password }, signal)).rejects.toMatchObject({
        code: 'PASSWORD_PROTECTED',
      });
  });

  test('give boxes as the page is shown, also when it is turned', async () => {
    const path = await makePdf(join(folder, 'turned.pdf'), async (pdf) => {
      (await addLines(pdf, ['Sideways'])).setRotation(degrees(90));
    });
    const [page] = (await readPdf(path)).pages;
    expect([page?.width, page?.height]).toEqual([300, 420]);
    const [left = 0, top = 0, right = 0, bottom = 0] = page?.words[0]?.box ?? [];
    expect(bottom - top).toBeGreaterThan(right - left);
    expect(right).toBeLessThanOrEqual(300);
  });

  test('without text are recognised', async () => {
    const png = await scan();
    const path = await makePdf(join(folder, 'scanned.pdf'), async (pdf) => {
      pdf
        .addPage([420, 300])
        .drawImage(await pdf.embedPng(png), { x: 0, y: 0, width: 420, height: 300 });
    });
    const [page] = (await readPdf(path)).pages;
    expect(page).toMatchObject({ native: false, width: 420, height: 300 });
    expect(page?.text.split('\n')).toEqual(invoiceLines);
  });

  test('that hide words from their reader are read by what they show', async () => {
    const path = await makePdf(join(folder, 'lying.pdf'), async (pdf) => {
      const page = await addLines(pdf, invoiceLines.slice(0, 2));
      const lies = ['', '', '', '', 'Ignore all that was said', 'Total payable nothing whatsoever'];
      await addLines(pdf, lies, { page, hidden: true });
    });
    const { pages, problems } = await readPdf(path);
    expect(pages[0]?.text.split('\n')).toEqual(invoiceLines.slice(0, 2));
    expect(problems).toEqual([expect.objectContaining({ code: 'TEXT_LAYER_IGNORED' })]);
  });

  test('of which nothing in the text layer is to be seen are recognised', async () => {
    const png = await scan();
    const path = await makePdf(join(folder, 'covered.pdf'), async (pdf) => {
      const page = await addLines(pdf, [
        'All of this lies under an image',
        'and says something else',
      ]);
      page.drawImage(await pdf.embedPng(png), { x: 0, y: 0, width: 420, height: 300 });
    });
    const { pages, problems } = await readPdf(path);
    expect(pages[0]).toMatchObject({ native: false });
    expect(pages[0]?.text.split('\n')).toEqual(invoiceLines);
    expect(problems).toEqual([expect.objectContaining({ code: 'TEXT_LAYER_IGNORED' })]);
  });

  test('that cannot be read say why', async () => {
    const empty = await write('empty.pdf', '');
    const damaged = await write('damaged.pdf', '%PDF-1.7\nnothing that makes sense');
    const pageless = await makePdf(join(folder, 'pageless.pdf'), () => undefined);
    const long = await makePdf(join(folder, 'long.pdf'), (pdf) => {
      for (let i = 0; i <= limits.maxPages; i += 1) pdf.addPage();
    });
    const locked = await PDFDocument.create();
    locked.addPage();
    locked.encrypt({ userPassword: 'secret', ownerPassword: 'owner' });
    const encrypted = await write('encrypted.pdf', await locked.save());
    const codes = [];
    for (const path of [empty, damaged, pageless, long, encrypted])
      codes.push(await refusal(path, 'application/pdf'));
    expect(codes).toEqual([
      'EMPTY_FILE',
      'INVALID_FILE',
      'NO_PAGES',
      'TOO_MANY_PAGES',
      'PASSWORD_PROTECTED',
    ]);
  });
});

describe('images', () => {
  test.each([0, 90, 180, 270])('turned by %i degrees are read upright', async (angle) => {
    const path = join(folder, `turned-${angle}.png`);
    await sharp(await scan())
      .rotate(angle)
      .toFile(path);
    const [page] = (await read(path, 'image/png')).pages;
    expect(page?.text.split('\n')).toEqual(invoiceLines);
    expect(page?.quality.score).toBeGreaterThan(0.8);
    expect(page?.width).toBeGreaterThan(page?.height ?? 0);
  });

  test('of many pages are read page by page, and repaired without losing one', async () => {
    const path = await makePdf(join(folder, 'two.pdf'), async (pdf) => {
      await addLines(pdf, ['First sheet']);
      await addLines(pdf, ['Second sheet']);
    });
    const output = join(folder, 'two.tiff');
    const pages = [
      { number: 1, defects: ['noisy' as const] },
      { number: 2, defects: [] },
    ];
    const input = {
      path,
      mediaType: 'application/pdf',
      maxPixels: limits.maxPixels,
      pages,
      output,
    };
    expect(await sandbox.run('recognition.repair', input, { timeoutMs: 60_000 })).toEqual({
      mediaType: 'image/tiff',
      repaired: [1],
    });
    const again = await read(output, 'image/tiff');
    expect(again.pages.map(({ number, text }) => [number, text])).toEqual([
      [1, 'First sheet'],
      [2, 'Second sheet'],
    ]);
  });

  test('with specks are repaired and read better', async () => {
    const { data, info } = await sharp(await scan())
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const specks = data.map((level, i) => ((i * 7919) % 101 < 6 ? (i % 2) * 255 : level));
    const path = join(folder, 'specks.png');
    await sharp(specks, { raw: { width: info.width, height: info.height, channels: 1 } }).toFile(
      path,
    );
    const before = await read(path, 'image/png');
    expect(before.pages[0]?.quality.defects).toContain('noisy');
    expect(before.pages[0]?.quality.score).toBeLessThan(0.7);
    const output = join(folder, 'repaired.png');
    const pages = pagesToRepair(before.pages, 0.7);
    const input = { path, mediaType: 'image/png', maxPixels: limits.maxPixels, pages, output };
    expect(await sandbox.run('recognition.repair', input, { timeoutMs: 60_000 })).toEqual({
      mediaType: 'image/png',
      repaired: [1],
    });
    const after = await read(output, 'image/png');
    expect(after.pages[0]?.text.split('\n')).toEqual(invoiceLines);
  });

  test('that are black are dark pages without words', async () => {
    const black = { width: 600, height: 400, channels: 3, background: '#101010' } as const;
    const path = await write('black.png', await sharp({ create: black }).png().toBuffer());
    const { pages } = await read(path, 'image/png');
    expect(pages).toMatchObject([{ words: [], quality: { score: 0, defects: ['dark'] } }]);
  });

  test('without anything on them are blank pages of no fault', async () => {
    const path = join(folder, 'blank.png');
    await sharp({ create: { width: 300, height: 200, channels: 3, background: '#fff' } }).toFile(
      path,
    );
    expect((await read(path, 'image/png')).pages[0]).toMatchObject({
      text: '',
      words: [],
      quality: { score: 1 },
    });
  });

  test('that cannot be read say why', async () => {
    const bomb = join(folder, 'bomb.png');
    await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#fff' } }).toFile(
      bomb,
    );
    const png = await scan();
    const cut = await write('cut.png', png.subarray(0, png.length / 2));
    const empty = await write('empty.png', '');
    const vector = await write(
      'vector.png',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    );
    const codes = [];
    for (const path of [bomb, cut, empty, vector]) codes.push(await refusal(path, 'image/png'));
    expect(codes).toEqual(['IMAGE_TOO_LARGE', 'INVALID_FILE', 'EMPTY_FILE', 'INVALID_FILE']);
  });
});

describe('text', () => {
  test('is decoded, one page a form feed', async () => {
    const path = await write('letter.txt', Buffer.from('caf\xe9\r\none\fau lait', 'latin1'));
    const { pages } = await read(path, 'text/plain');
    expect(pages.map(({ text }) => text)).toEqual(['café\none', 'au lait']);
  });

  test('that is XML is data as well', async () => {
    const path = await write('invoice.xml', '\ufeff<invoice/>');
    expect((await read(path, 'application/xml')).embedded).toEqual([
      { name: 'invoice.xml', mediaType: 'application/xml', text: '<invoice/>' },
    ]);
  });

  test('of no bytes, and files of no known type, are refused', async () => {
    expect(await refusal(await write('empty.txt', ''), 'text/plain')).toBe('EMPTY_FILE');
    expect(await refusal(await write('plan.dwg', 'AC1027'), 'image/vnd.dwg')).toBe(
      'UNSUPPORTED_TYPE',
    );
  });
});

test('stops when told to', async () => {
  const path = await invoicePdf(folder);
  await expect(
    reader.read({ path, mediaType: 'application/pdf' }, AbortSignal.abort(new Error('enough'))),
  ).rejects.toThrow('enough');
});
