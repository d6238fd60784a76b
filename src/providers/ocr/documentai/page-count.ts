import { readFile } from 'node:fs/promises';
import type { SourceFile } from '../port.ts';
import type { OpenPdf } from './pdf.ts';
import { countTiffPages } from './tiff.ts';

/** Page counters of multi-page types; undefined if only the vendor can open the file. */
const counts: Record<
  string,
  (file: SourceFile, open: OpenPdf, signal: AbortSignal) => Promise<number | undefined>
> = {
  'application/pdf': async (file, open, signal) => (await open(file, signal))?.pages,
  'image/tiff': async ({ path }, _, signal) => countTiffPages(await readFile(path, { signal })),
};

export async function countPages(
  file: SourceFile,
  open: OpenPdf,
  signal: AbortSignal,
): Promise<number | undefined> {
  const count = counts[file.mediaType];
  return count ? count(file, open, signal) : 1;
}
