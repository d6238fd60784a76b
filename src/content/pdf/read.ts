import { capText, type EmbeddedFile } from '../../domain/transcription.ts';
import { printable } from '../../lib/printable.ts';
import type { InspectInput, Inspection, TextInput, TextOutput, TextPage } from '../format.ts';
import { decodeText } from '../text/decode-text.ts';
import { type PdfDocument, type Pdfium, withMemory, withPage, withPdf } from './document.ts';
import { readTextLayer } from './text.ts';

export function readPdf({ first, last, maxText, ...file }: TextInput): Promise<TextOutput> {
  return withPdf(file, (document) => {
    const numbers = Array.from(
      { length: Math.min(last, document.pages) - first + 1 },
      (_, i) => first + i,
    );
    return capText(
      numbers.map((number) => readPage(document, number)),
      maxText,
    );
  });
}

function readPage(document: PdfDocument, number: number): TextPage {
  const { width, height, text, words, ...layer } = withPage(document, number, readTextLayer);
  return { number, width, height, text, words, layer };
}

export function inspectPdf(file: InspectInput): Promise<Inspection> {
  return withPdf(file, (document) => ({
    pages: document.pages,
    encrypted: document.pdf._FPDF_GetSecurityHandlerRevision(document.handle) !== -1,
    embedded: xmlAttachments(document),
  }));
}

const MAX_FILES = 20;
const MAX_BYTES = 10 * 2 ** 20;

/** XML attachments of the PDF, such as e-invoice data. Other attachments are ignored. */
export function xmlAttachments({ pdf, handle }: PdfDocument): EmbeddedFile[] {
  const count = Math.min(MAX_FILES, pdf._FPDFDoc_GetAttachmentCount(handle));
  return Array.from({ length: count }, (_, i) => pdf._FPDFDoc_GetAttachment(handle, i)).flatMap(
    (attachment) => {
      const name = nameOf(pdf, attachment);
      if (!/\.xml$/i.test(name)) return [];
      const bytes = bytesOf(pdf, attachment);
      return bytes
        ? [{ name, mediaType: 'application/xml', text: printable(decodeText(bytes)) }]
        : [];
    },
  );
}

function nameOf(pdf: Pdfium, attachment: number): string {
  const length = pdf._FPDFAttachment_GetName(attachment, 0, 0);
  if (length <= 2 || length > 2048) return '';
  return withMemory(pdf, length, (pointer) => {
    pdf._FPDFAttachment_GetName(attachment, pointer, length);
    return printable(
      new TextDecoder('utf-16le').decode(pdf.HEAPU8.subarray(pointer, pointer + length - 2)),
    );
  });
}

function bytesOf(pdf: Pdfium, attachment: number): Uint8Array | undefined {
  return withMemory(pdf, 4, (lengthPointer) => {
    const length = () => new DataView(pdf.HEAPU8.buffer).getUint32(lengthPointer, true);
    if (!pdf._FPDFAttachment_GetFile(attachment, 0, 0, lengthPointer)) return undefined;
    const bytes = length();
    if (bytes === 0 || bytes > MAX_BYTES) return undefined;
    return withMemory(pdf, bytes, (pointer) => {
      if (!pdf._FPDFAttachment_GetFile(attachment, pointer, bytes, lengthPointer)) return undefined;
      return pdf.HEAPU8.slice(pointer, pointer + bytes);
    });
  });
}
