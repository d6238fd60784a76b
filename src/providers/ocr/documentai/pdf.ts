import { readFile } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';

/** A PDF that can be cut into smaller ones. */
export interface Pdf {
  pages: number;
  /** The pages from `first` (1-based) on, as a file of their own. */
  cut(first: number, count: number): Promise<Buffer>;
}

/**
 * Undefined for a file that it cannot open: the vendor's parser is more lenient and has the last word on it.
 */
export type OpenPdf = (path: string, signal: AbortSignal) => Promise<Pdf | undefined>;

/** Opens a PDF in this process. */
export const openPdf: OpenPdf = async (path, signal) => {
  const bytes = await readFile(path, { signal });
  try {
    const source = await PDFDocument.load(bytes, { updateMetadata: false });
    return { pages: source.getPageCount(), cut: (first, count) => cut(source, first, count) };
  } catch {
    return undefined;
  }
};

async function cut(source: PDFDocument, first: number, count: number): Promise<Buffer> {
  const part = await PDFDocument.create();
  const indices = Array.from({ length: count }, (_, i) => first - 1 + i);
  for (const page of await part.copyPages(source, indices)) part.addPage(page);
  return Buffer.from(await part.save());
}
