import { readFile } from 'node:fs/promises';
import type { SourceFile } from '../port.ts';
import type { OpenPdf } from './pdf.ts';
import { countTiffPages } from './tiff.ts';

/** Pages of a file, for those types that can have several; undefined where only the vendor can tell. */
const counts: Record<string, (path: string, open: OpenPdf, signal: AbortSignal) => Promise<number | undefined>> = {
  'application/pdf': async (path, open, signal) => (await open(path, signal))?.pages,
  'image/tiff': async (path, _, signal) => countTiffPages(await readFile(path, { signal })),
};

export async function countPages(
  { path, mediaType }: SourceFile,
  open: OpenPdf,
  signal: AbortSignal,
): Promise<number | undefined> {
  const count = counts[mediaType];
  return count ? count(path, open, signal) : 1;
}
