import type { Box } from '../../domain/transcription.ts';
import { PermanentError } from '../../errors.ts';
import type { LoadedPage, PageInput } from '../format.ts';
import type { Raster } from '../image/raster.ts';
import { workingPixels } from '../working-pixels.ts';
import { type PdfDocument, type PdfPage, withPage, withPdf } from './document.ts';

const POINTS_PER_INCH = 72;
const BGR = 2;
const ANNOTATIONS = 1;
const WHITE = 0xffffffff;

/** The recogniser is tuned for this resolution. */
const readingDpi = 200;

export function loadPdfPage({
  page,
  maxPixels,
  dpi = readingDpi,
  fit,
  part,
  ...file
}: PageInput): Promise<LoadedPage> {
  const limits = { dpi, fit, maxPixels: workingPixels(maxPixels) };
  return withPdf(file, (document) => renderPage(document, page, limits, part));
}

/** Renders at the requested resolution, reduced if necessary to stay within the pixel limit. */
function renderPage(
  document: PdfDocument,
  number: number,
  { dpi, fit, maxPixels }: { dpi: number; fit: PageInput['fit']; maxPixels: number },
  part: Box | undefined,
): LoadedPage {
  return withPage(document, number, (page) => {
    const [left, top, right, bottom] = part ?? [0, 0, page.width, page.height];
    const [width, height] = [right - left, bottom - top];
    const area = width * height;
    if (!(area > 0))
      throw new PermanentError('INVALID_FILE', `Page ${number} of the PDF has no area`);
    const wanted = fit ? fit.pixels / page[fit.side] : dpi / POINTS_PER_INCH;
    const scale = Math.min(wanted, Math.sqrt(maxPixels / area));
    return { raster: draw(page, { left, top, width, height, scale }), width, height };
  });
}

interface View {
  /** In page units. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** Pixels per unit. */
  scale: number;
}

/** A scale that was computed from a number of pixels must yield that number again. */
const roundingError = 1e-6;

function draw({ pdf, handle, ...page }: PdfPage, { scale, ...view }: View): Raster {
  const inPixels = (side: number) => Math.max(1, Math.floor(side * scale + roundingError));
  const [width, height] = [inPixels(view.width), inPixels(view.height)];
  const [x, y] = [-Math.round(view.left * scale), -Math.round(view.top * scale)];
  const [wide, high] = [inPixels(page.width), inPixels(page.height)];
  const bitmap = pdf._FPDFBitmap_CreateEx(width, height, BGR, 0, 0);
  if (bitmap === 0) throw new Error('PDFium is out of memory');
  try {
    pdf._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdf._FPDF_RenderPageBitmap(bitmap, handle, x, y, wide, high, 0, ANNOTATIONS);
    const start = pdf._FPDFBitmap_GetBuffer(bitmap);
    return {
      data: toRgb(pdf.HEAPU8, start, pdf._FPDFBitmap_GetStride(bitmap), width, height),
      width,
      height,
    };
  } finally {
    pdf._FPDFBitmap_Destroy(bitmap);
  }
}

function toRgb(
  heap: Uint8Array,
  start: number,
  stride: number,
  width: number,
  height: number,
): Uint8Array {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0, from = start + y * stride; x < width; x += 1, from += 3, to += 3) {
      data[to] = heap[from + 2] ?? 0;
      data[to + 1] = heap[from + 1] ?? 0;
      data[to + 2] = heap[from] ?? 0;
    }
  }
  return data;
}
