import { readFile } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { PermanentError } from '../../errors.ts';
import type { PdfInput } from '../format.ts';

export async function cutPdf({ path, password, first, count }: PdfInput): Promise<Uint8Array> {
  const bytes = await readFile(path);
  const source = await PDFDocument.load(bytes, {
    updateMetadata: false,
    ...(password && { password }),
  }).catch((cause: unknown) => {
    throw new PermanentError('INVALID_FILE', 'The PDF cannot be split into smaller files', {
      cause,
    });
  });
  const part = await PDFDocument.create();
  const indices = Array.from({ length: count }, (_, i) => first - 1 + i);
  for (const page of await part.copyPages(source, indices)) part.addPage(page);
  return part.save();
}
