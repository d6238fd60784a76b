import { decodeImage } from './image/decode.ts';
import { type Raster, resize } from './image/raster.ts';
import { type PdfFile, withPdf } from './pdf/document.ts';
import { renderPage } from './pdf/render.ts';

export interface PageSource extends PdfFile {
  mediaType: string;
  /** 1-based. */
  page: number;
  maxPixels: number;
}

export interface LoadedPage {
  raster: Raster;
  /** In pixels of an image, in points of a PDF. */
  width: number;
  height: number;
}

const RENDER_DPI = 200;
/** More pixels cost time and show the recogniser nothing more: about A4 at 250 dots an inch. */
const WORKING_PIXELS = 6_000_000;

/** The page as it is seen. */
export async function loadPage({ mediaType, page, maxPixels, ...file }: PageSource): Promise<LoadedPage> {
  const limit = Math.min(maxPixels, WORKING_PIXELS);
  if (mediaType === 'application/pdf') {
    return await withPdf(file, (document) => renderPage(document, page, RENDER_DPI, limit));
  }
  const raster = await decodeImage(file.path, page, maxPixels);
  const scale = Math.min(1, Math.sqrt(limit / (raster.width * raster.height)));
  const [width, height] = [Math.round(raster.width * scale), Math.round(raster.height * scale)];
  return { raster: await resize(raster, width, height), width: raster.width, height: raster.height };
}
