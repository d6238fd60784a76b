import { capText } from '../../domain/transcription.ts';
import type { InspectInput, Inspection, TextInput, TextOutput, TextPage } from '../format.ts';
import { xmlAttachments } from './attachments.ts';
import { type PdfDocument, withPage, withPdf } from './document.ts';
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
