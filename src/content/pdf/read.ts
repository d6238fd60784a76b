import { capText } from '../../domain/cap-text.ts';
import { type PdfFile, withPage, withPdf } from './document.ts';
import { readTextLayer, type TextLayer } from './text.ts';

export interface ReadPdfInput extends PdfFile {
  /** 1-based, both included. */
  first: number;
  last: number;
  /** In characters. */
  maxText: number;
}

export interface ReadPdfOutput {
  pages: (TextLayer & { number: number })[];
  truncated: boolean;
}

export function readPdf({ first, last, maxText, ...file }: ReadPdfInput): Promise<ReadPdfOutput> {
  return withPdf(file, (document) => {
    const numbers = Array.from({ length: Math.min(last, document.pages) - first + 1 }, (_, i) => first + i);
    const layers = numbers.map((number) => ({ number, ...withPage(document, number, readTextLayer) }));
    return capText(layers, maxText);
  });
}
