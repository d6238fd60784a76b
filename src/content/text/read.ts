import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { PermanentError } from '../../errors.ts';
import { decodeText } from './decode-text.ts';
import { printable } from '../../lib/printable.ts';
import type { SourceFile } from '../../providers/ocr/port.ts';
import type { LocalReaderOptions } from '../../providers/ocr/local/options.ts';
import { checkPageCount } from '../../providers/ocr/local/page-count.ts';
import type { Reading } from '../../providers/ocr/local/reading.ts';

/** Enough for any text that is kept, in any encoding. */
const MAX_BYTES = 40_000_000;

/** A form feed ends a page. XML is data as well as text. */
export async function readText(file: SourceFile, { maxPages }: LocalReaderOptions): Promise<Reading> {
  const { path, mediaType } = file;
  const bytes = await firstBytes(path, MAX_BYTES);
  if (bytes.length === 0) throw new PermanentError('EMPTY_FILE', 'The text file has no bytes');
  const text = printable(decodeText(bytes));
  const sheets = text.replace(/\f$/, '').split('\f');
  checkPageCount(sheets.length, file, maxPages);
  const pages = sheets.map((sheet, i) => ({
    number: i + 1,
    width: 0,
    height: 0,
    text: sheet,
    words: [],
    quality: { score: 1, defects: [] },
    native: true,
  }));
  const isXml = /[/+]xml$/.test(mediaType);
  return { pages, embedded: isXml ? [{ name: basename(path), mediaType, text }] : [], problems: [] };
}

async function firstBytes(path: string, limit: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, limit)), 0, Math.min(size, limit), 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
