import { printable } from '../../lib/printable.ts';
import { type PdfDocument, type Pdfium, withMemory } from './document.ts';

export interface PdfAttachment {
  name: string;
  /** Undefined if it is empty, or larger than the limit. */
  read(maxBytes: number): Buffer | undefined;
}

/** Files attached to the document as a whole: among them all files of a portfolio. */
export function listAttachments({ pdf, handle }: PdfDocument): PdfAttachment[] {
  return Array.from({ length: pdf._FPDFDoc_GetAttachmentCount(handle) }, (_, i) =>
    attachmentOf(pdf, pdf._FPDFDoc_GetAttachment(handle, i)),
  );
}

const fileAttachment = 17;

/** Files attached at a place on a page, as a pin. They can be read while the page is open. */
export function listPinned<T>(
  { pdf, handle }: PdfDocument,
  page: number,
  take: (file: PdfAttachment) => T,
): T[] {
  const opened = pdf._FPDF_LoadPage(handle, page - 1);
  if (opened === 0) return [];
  try {
    return Array.from({ length: pdf._FPDFPage_GetAnnotCount(opened) }, (_, i) => i).flatMap((i) => {
      const annotation = pdf._FPDFPage_GetAnnot(opened, i);
      const isFile = pdf._FPDFAnnot_GetSubtype(annotation) === fileAttachment;
      const file = isFile ? pdf._FPDFAnnot_GetFileAttachment(annotation) : 0;
      const taken = file === 0 ? [] : [take(attachmentOf(pdf, file))];
      pdf._FPDFPage_CloseAnnot(annotation);
      return taken;
    });
  } finally {
    pdf._FPDF_ClosePage(opened);
  }
}

function attachmentOf(pdf: Pdfium, handle: number): PdfAttachment {
  return { name: nameOf(pdf, handle), read: (maxBytes) => bytesOf(pdf, handle, maxBytes) };
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

function bytesOf(pdf: Pdfium, attachment: number, maxBytes: number): Buffer | undefined {
  return withMemory(pdf, 4, (lengthPointer) => {
    const length = () => new DataView(pdf.HEAPU8.buffer).getUint32(lengthPointer, true);
    if (!pdf._FPDFAttachment_GetFile(attachment, 0, 0, lengthPointer)) return undefined;
    const bytes = length();
    if (bytes === 0 || bytes > maxBytes) return undefined;
    return withMemory(pdf, bytes, (pointer) => {
      if (!pdf._FPDFAttachment_GetFile(attachment, pointer, bytes, lengthPointer)) return undefined;
      return Buffer.from(pdf.HEAPU8.slice(pointer, pointer + bytes));
    });
  });
}
