import type { LoadedPage, PageInput } from '../format.ts';
import { workingPixels } from '../working-pixels.ts';
import { decodeImage } from './decode.ts';
import { resize } from './raster.ts';

export async function loadImagePage(input: PageInput): Promise<LoadedPage> {
  const { maxPixels } = input;
  const raster = await decodeImage(input);
  const scale = Math.min(1, Math.sqrt(workingPixels(maxPixels) / (raster.width * raster.height)));
  const [width, height] = [Math.round(raster.width * scale), Math.round(raster.height * scale)];
  return {
    raster: await resize(raster, width, height),
    width: raster.width,
    height: raster.height,
  };
}
