import { stat } from 'node:fs/promises';
import { PermanentError } from '../../errors.ts';
import type { InspectInput, Inspection } from '../format.ts';
import { openImage } from './open-image.ts';
import { imageProblem } from './sharp.ts';

export async function inspectImage(input: InspectInput): Promise<Inspection> {
  const { path, maxPixels } = input;
  if ((await stat(path)).size === 0)
    throw new PermanentError('EMPTY_FILE', 'The image file is empty');
  try {
    const { image, pages } = await openImage({ ...input, page: 1 });
    const { width, height } = await image.metadata();
    if (width * height > maxPixels) {
      throw new PermanentError(
        'IMAGE_TOO_LARGE',
        `The image has ${width} × ${height} pixels; the limit is ${maxPixels}`,
      );
    }
    return { pages, encrypted: false, embedded: [] };
  } catch (error) {
    throw imageProblem(error);
  }
}
