import { decodePDFRawStream, PDFRawStream, type PDFStream } from '@cantoo/pdf-lib';

/** Decoded stream content, one byte per character. */
export function streamText(stream: PDFStream): string {
  const bytes =
    stream instanceof PDFRawStream ? decodePDFRawStream(stream).decode() : stream.getContents();
  return Buffer.from(bytes).toString('latin1');
}
