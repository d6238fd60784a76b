import { StandardFonts } from '@cantoo/pdf-lib';
import { kettleworth } from './companies.ts';
import { drawInvoice } from './invoice-page.ts';
import { addSheet, newDocument } from './sheet.ts';
import { english } from './words.ts';

/** A digital invoice that needs no OCR. */
export async function invoicePdf(): Promise<Uint8Array> {
  const document = await newDocument(`Invoice ${kettleworth.number}`, kettleworth.seller.name);
  const sheet = await addSheet(document, {
    regular: StandardFonts.Helvetica,
    bold: StandardFonts.HelveticaBold,
  });
  drawInvoice(sheet, kettleworth, english, { accent: [0.13, 0.3, 0.27], band: true, shaded: true });
  return document.save();
}

/** The same file, truncated as by an interrupted transfer. */
export async function brokenPdf(): Promise<Uint8Array> {
  const pdf = await invoicePdf();
  return pdf.subarray(0, pdf.length / 2);
}
