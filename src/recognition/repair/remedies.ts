import { measure } from '../../content/image/measure.ts';
import { type Raster, toGrey } from '../../content/image/raster.ts';
import type { Defect } from '../../domain/transcription.ts';
import { detectLines } from '../detect.ts';
import { measureSkew } from '../skew.ts';
import {
  brighten,
  despeckle,
  enlarge,
  evenLight,
  type Filter,
  sharpen,
  soften,
  straighten,
} from './filters.ts';

/**
 * Filters that measurably improve recognition, in the order of application. Contrast stretching and
 * binarisation are not used: in measurements they lowered accuracy.
 */
const remedies: readonly { defect: Defect; remedy: Filter }[] = [
  { defect: 'noisy', remedy: denoise },
  { defect: 'dark', remedy: async (page) => brighten(measure(toGrey(page)).paper)(page) },
  { defect: 'low-contrast', remedy: evenLight },
  { defect: 'skewed', remedy: async (page) => straighten(await skewDegrees(page))(page) },
  { defect: 'small-text', remedy: enlarge },
  { defect: 'blurry', remedy: sharpen },
];

/** Small text is enlarged and then looks blurry; sharpening it would only amplify artefacts. */
const treatedBy: Partial<Record<Defect, Defect>> = { blurry: 'small-text' };

const GRAINY = 8;
const COARSE_GRAIN = 25;

/** A median filter removes specks, but smears fine grain, which needs a blur. */
async function denoise(page: Raster): Promise<Raster> {
  const { grain } = measure(toGrey(page));
  if (grain < GRAINY) return await despeckle(page);
  return await soften(grain < COARSE_GRAIN ? 0.8 : 1.5)(page);
}

async function skewDegrees(page: Raster): Promise<number> {
  return (measureSkew(await detectLines(page)) * 180) / Math.PI;
}

export async function applyRemedies(page: Raster, defects: readonly Defect[]): Promise<Raster> {
  let repaired = page;
  for (const { defect, remedy } of remedies) {
    const other = treatedBy[defect];
    if (defects.includes(defect) && !(other && defects.includes(other)))
      repaired = await remedy(repaired);
  }
  return repaired;
}
