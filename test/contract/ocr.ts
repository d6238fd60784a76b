import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinText, transcription } from '../../src/domain/transcription.ts';
import { LargeDocumentError, PermanentError } from '../../src/errors.ts';
import type { Reader, SourceFile } from '../../src/providers/ocr/port.ts';

/** Requirements for every reader. */
export function readerContract(name: string, open: () => Reader | Promise<Reader>): void {
  describe(`${name} keeps the contract of readers`, () => {
    let reader: Reader;
    let folder: string;
    const never = new AbortController().signal;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'reader-contract-'));
      reader = await open();
    });
    afterAll(async () => {
      await reader.close();
      await rm(folder, { recursive: true, force: true });
    });

    async function pdf(...pages: string[]): Promise<SourceFile> {
      return save('document.pdf', await makePdf(...pages));
    }
    async function save(fileName: string, bytes: Uint8Array): Promise<SourceFile> {
      const path = join(folder, fileName);
      await writeFile(path, bytes);
      return { path, mediaType: 'application/pdf' };
    }

    test('reads the text of a page', async () => {
      const read = await reader.read(await pdf('Invoice number 4711'), never);
      expect(() => transcription.parse(read)).not.toThrow();
      expect(read.engine).toBe(reader.engine);
      expect(joinText(read)).toContain('Invoice number 4711');
    });

    test('numbers pages in their order', async () => {
      const { pages } = await reader.read(await pdf('first', 'second', 'third'), never);
      expect(pages.map(({ number, text }) => `${number} ${text.trim()}`)).toEqual([
        '1 first',
        '2 second',
        '3 third',
      ]);
    });

    test('hands on the XML that a PDF carries, and no other file', async () => {
      const carrier = await PDFDocument.load(await makePdf('An e-invoice'));
      await carrier.attach(Buffer.from('<invoice total="1284.50"/>'), 'factur-x.xml', {
        mimeType: 'text/xml',
      });
      await carrier.attach(Buffer.from([1, 2, 3]), 'photo.jpg', { mimeType: 'image/jpeg' });
      const { embedded } = await reader.read(
        await save('carrier.pdf', await carrier.save()),
        never,
      );
      expect(embedded).toEqual([
        { name: 'factur-x.xml', mediaType: 'application/xml', text: '<invoice total="1284.50"/>' },
      ]);
    });

    test('keeps boxes on their page', async () => {
      const { pages } = await reader.read(await pdf('Total 119.00 EUR'), never);
      for (const { width, height, words } of pages) {
        for (const { box } of words) expect(box).toEqual(clamped(box, width, height));
      }
    });

    test('reads the same twice', async () => {
      const file = await pdf('Once', 'and again');
      expect(await reader.read(file, never)).toEqual(await reader.read(file, never));
    });

    test('refuses for good what is no document', async () => {
      const file = await save('noise.pdf', Buffer.from('%PDF-1.7 and then nothing that a PDF has'));
      await expect(reader.read(file, never)).rejects.toBeInstanceOf(PermanentError);
    });

    test('leaves many pages to the large lane, and reads them there', async () => {
      const file = await pdf('first', 'second');
      await expect(reader.read({ ...file, largeFrom: 2 }, never)).rejects.toBeInstanceOf(
        LargeDocumentError,
      );
      expect(
        (await reader.read({ ...file, lane: 'large', largeFrom: 3 }, never)).pages,
      ).toHaveLength(2);
    });

    test('does not begin when told to stop', async () => {
      await expect(reader.read(await pdf('unread'), AbortSignal.abort())).rejects.toThrow();
    });

    test('stops when told to', async () => {
      const stop = new AbortController();
      const reading = reader.read(await pdf('unread', 'unread'), stop.signal);
      stop.abort(new Error('stopped by the test'));
      await expect(reading).rejects.toThrow();
    });

    test('is closed as often as one likes', async () => {
      const another = await open();
      await another.close();
      await expect(another.close()).resolves.toBeUndefined();
    });
  });
}

/** A PDF with one line of text per page. */
export async function makePdf(...texts: string[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts)
    pdf.addPage([400, 200]).drawText(text, { x: 40, y: 120, size: 18, font });
  return pdf.save();
}

function clamped(
  [left, top, right, bottom]: readonly number[],
  width: number,
  height: number,
): number[] {
  const x = [left ?? 0, right ?? 0]
    .map((value) => Math.min(Math.max(value, 0), width))
    .sort((a, b) => a - b);
  const y = [top ?? 0, bottom ?? 0]
    .map((value) => Math.min(Math.max(value, 0), height))
    .sort((a, b) => a - b);
  return [x[0] ?? 0, y[0] ?? 0, x[1] ?? 0, y[1] ?? 0];
}
