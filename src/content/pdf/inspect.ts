import type { EmbeddedFile } from '../../domain/transcription.ts';
import { xmlAttachments } from './attachments.ts';
import { type PdfFile, pageSizes, withPdf } from './document.ts';

export interface InspectPdfInput extends PdfFile {
  maxPages: number;
}

export interface PdfFacts {
  pages: number;
  /** It has a security handler, though it opens without a password. */
  encrypted: boolean;
  /** In points; at most the first `maxPages` pages. */
  sizes: { width: number; height: number }[];
  /** The data of e-invoices, for every reader. */
  embedded: EmbeddedFile[];
}

export function inspectPdf({ maxPages, ...file }: InspectPdfInput): Promise<PdfFacts> {
  return withPdf(file, (document) => ({
    pages: document.pages,
    encrypted: document.pdf._FPDF_GetSecurityHandlerRevision(document.handle) !== -1,
    sizes: pageSizes({ ...document, pages: Math.min(document.pages, maxPages) }),
    embedded: xmlAttachments(document),
  }));
}
