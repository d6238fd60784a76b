import { capText, type EmbeddedFile } from '../../domain/transcription.ts';
import { printable } from '../../lib/printable.ts';
import type { InspectInput, Inspection, TextInput, TextOutput, TextPage } from '../format.ts';
import { decodeText } from '../text/decode-text.ts';
import { listAttachments } from './attachments.ts';
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

const MAX_FILES = 20;
const MAX_BYTES = 10 * 2 ** 20;

/** XML attachments of the PDF, such as e-invoice data. Other attachments are unpacked. */
export function xmlAttachments(document: PdfDocument): EmbeddedFile[] {
  return listAttachments(document)
    .slice(0, MAX_FILES)
    .filter(({ name }) => /\.xml$/i.test(name))
    .flatMap(({ name, read }) => {
      const bytes = read(MAX_BYTES);
      if (!bytes) return [];
      return [{ name, mediaType: 'application/xml', text: printable(decodeText(bytes)) }];
    });
}
