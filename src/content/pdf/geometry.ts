import type { Box } from '../../domain/transcription.ts';
import type { Pdfium, PdfPage } from './document.ts';

/** PDFium returns whole pixels; this scale factor yields hundredths of a point. */
const PRECISION = 100;

/** A box in the coordinates of a PDF (origin at the bottom) as one in those of the page. */
export function toPage(
  { pdf, handle, width, height }: PdfPage,
  [left, bottom, right, top]: Box,
  scratch: number,
): Box {
  const size: [number, number] = [Math.round(width * PRECISION), Math.round(height * PRECISION)];
  const [ax, ay] = toDevice(pdf, handle, size, left, top, scratch);
  const [bx, by] = toDevice(pdf, handle, size, right, bottom, scratch);
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}

function toDevice(
  pdf: Pdfium,
  page: number,
  [w, h]: [number, number],
  x: number,
  y: number,
  scratch: number,
): [number, number] {
  pdf._FPDF_PageToDevice(page, 0, 0, w, h, 0, x, y, scratch, scratch + 4);
  const view = new DataView(pdf.HEAPU8.buffer, scratch, 8);
  return [view.getInt32(0, true) / PRECISION, view.getInt32(4, true) / PRECISION];
}

export const areaOf = ([left, top, right, bottom]: Box): number =>
  Math.max(0, right - left) * Math.max(0, bottom - top);
