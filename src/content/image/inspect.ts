import { stat } from 'node:fs/promises';
import { PermanentError } from '../../errors.ts';
import type { InspectInput, Inspection } from '../format.ts';
import { imageProblem, loadSharp } from './sharp.ts';

/** Only TIFF frames count as pages; animation frames do not. */
export async function inspectImage({ path, maxPixels }: InspectInput): Promise<Inspection> {
  if ((await stat(path)).size === 0)
    throw new PermanentError('EMPTY_FILE', 'The image file is empty');
  const sharp = await loadSharp();
  try {
    const {
      format,
      pages = 1,
      width,
      height,
    } = await sharp(path, { limitInputPixels: maxPixels }).metadata();
    if (width * height > maxPixels) {
      throw new PermanentError(
        'IMAGE_TOO_LARGE',
        `The image has ${width} × ${height} pixels; the limit is ${maxPixels}`,
      );
    }
    return { pages: format === 'tiff' ? pages : 1, encrypted: false, embedded: [] };
  } catch (error) {
    throw imageProblem(error);
  }
}
