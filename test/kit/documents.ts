import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';

/** Small documents for tests. */
export async function makePdf(
  path: string,
  fill: (pdf: PDFDocument) => Promise<unknown> | unknown,
): Promise<string> {
  const pdf = await PDFDocument.create();
  await fill(pdf);
  await writeFile(path, await pdf.save({ addDefaultPage: false }));
  return path;
}

export interface TextOptions {
  size?: number;
  /** White text on a white page. */
  hidden?: boolean;
  page?: PDFPage;
}

/** Adds lines of text, one below the other. */
export async function addLines(
  pdf: PDFDocument,
  lines: readonly string[],
  { size = 14, hidden = false, page = pdf.addPage([420, 300]) }: TextOptions = {},
): Promise<PDFPage> {
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const color = hidden ? rgb(1, 1, 1) : rgb(0, 0, 0);
  for (const [i, line] of lines.entries())
    page.drawText(line, { x: 30, y: 250 - i * size * 2, size, font, color });
  return page;
}

export const invoiceLines = [
  'Invoice number 20417',
  'Northwind Traders Limited',
  'Total amount 1,284.50 EUR',
  'Due in thirty days',
];

export function invoicePdf(folder: string): Promise<string> {
  return makePdf(join(folder, 'invoice.pdf'), (pdf) => addLines(pdf, invoiceLines));
}
