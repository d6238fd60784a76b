import { PDFArray, PDFDocument, type PDFPage, PDFStream } from '@cantoo/pdf-lib';
import type { Page, Quality, Word } from '../../domain/transcription.ts';
import { readTextRuns, type TextRun } from './content-stream.ts';
import { readFonts } from './fonts.ts';
import { streamText } from './stream-text.ts';

/** Returns the text layer as an OCR result. Throws if the file is encrypted or not a PDF. */
export async function readPdf(bytes: Uint8Array): Promise<Page[]> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  return pdf.getPages().map((page, i) => toPage(page, i + 1));
}

const clear: Quality = { score: 0.97, defects: [] };
/** Quality of pages that the simulator cannot read. */
export const illegible: Quality = { score: 0.2, defects: ['blurry'] };

function toPage(page: PDFPage, number: number): Page {
  const { width, height } = page.getSize();
  const runs = readTextRuns(contentOf(page), readFonts(page)).toSorted(
    (a, b) => b.y - a.y || a.x - b.x,
  );
  const lines = [...new Set(runs.map(({ y }) => y))].map((y) => runs.filter((run) => run.y === y));
  const text = lines.map((line) => line.map((run) => run.text).join(' ')).join('\n');
  const words = runs.flatMap((run) => wordsOf(run, width, height));
  return {
    number,
    width,
    height,
    text,
    words,
    quality: words.length ? clear : illegible,
    native: false,
  };
}

function contentOf({ node }: PDFPage): string {
  const contents = node.Contents();
  const streams =
    contents instanceof PDFArray
      ? contents.asArray().map((ref) => node.context.lookup(ref))
      : [contents];
  return streams
    .map((stream) => (stream instanceof PDFStream ? streamText(stream) : ''))
    .join('\n');
}

/** Assumes that letters are half as wide as high. */
function wordsOf({ text, x, y, size }: TextRun, width: number, height: number): Word[] {
  const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const left = x + index * size * 0.5;
    return {
      text: word,
      confidence: 0.98,
      box: [
        clamp(left, width),
        clamp(height - y - size, height),
        clamp(left + word.length * size * 0.5, width),
        clamp(height - y, height),
      ],
    };
  });
}
