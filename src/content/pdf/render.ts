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
  ...file
}: PageInput): Promise<LoadedPage> {
  return withPdf(file, (document) => renderPage(document, page, dpi, workingPixels(maxPixels)));
}

/** Renders at the requested resolution, reduced if necessary to stay within the pixel limit. */
function renderPage(
  document: PdfDocument,
  number: number,
  dpi: number,
  maxPixels: number,
): LoadedPage {
  return withPage(document, number, (page) => {
    const area = page.width * page.height;
    if (!(area > 0))
      throw new PermanentError('INVALID_FILE', `Page ${number} of the PDF has no area`);
    const scale = Math.min(dpi / POINTS_PER_INCH, Math.sqrt(maxPixels / area));
    const [width, height] = [page.width, page.height].map((side) =>
      Math.max(1, Math.floor(side * scale)),
    );
    return { raster: draw(page, width ?? 1, height ?? 1), width: page.width, height: page.height };
  });
}

function draw({ pdf, handle }: PdfPage, width: number, height: number): Raster {
  const bitmap = pdf._FPDFBitmap_CreateEx(width, height, BGR, 0, 0);
  if (bitmap === 0) throw new Error('PDFium is out of memory');
  try {
    pdf._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdf._FPDF_RenderPageBitmap(bitmap, handle, 0, 0, width, height, 0, ANNOTATIONS);
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
