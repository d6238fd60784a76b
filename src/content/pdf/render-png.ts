import { loadSharp } from '../image/sharp.ts';
import type { PageSource } from '../page-source.ts';
import { withPdf } from './document.ts';
import { renderPage } from './render.ts';

export interface RenderPdfInput extends Omit<PageSource, 'mediaType'> {
  dpi: number;
}

export async function renderPdf({
  page,
  dpi,
  maxPixels,
  ...file
}: RenderPdfInput): Promise<{ png: Uint8Array; width: number; height: number }> {
  const { raster } = await withPdf(file, (document) => renderPage(document, page, dpi, maxPixels));
  const { data, width, height } = raster;
  const sharp = await loadSharp();
  return {
    png: await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
    width,
    height,
  };
}
