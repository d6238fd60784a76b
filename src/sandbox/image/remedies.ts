import type { Defect } from '../../domain/transcription.ts';
import { detectLines } from '../ocr/detect.ts';
import { skewOf } from '../ocr/skew.ts';
import { despeckle, enlarge, evenLight, type Filter, sharpen, soften, straighten } from './filters.ts';
import { measure } from './measure.ts';
import { type Raster, toGrey } from './raster.ts';

/**
 * What was measured to help against each defect, in the order to apply it. Nothing here stretches contrast or makes pages
 * black and white: both cost the recogniser more than they give.
 */
export const remedies: readonly { defect: Defect; remedy: Filter }[] = [
  { defect: 'noisy', remedy: async (page) => (isSpeckled(page) ? despeckle(page) : soften(page)) },
  { defect: 'dark', remedy: evenLight },
  { defect: 'low-contrast', remedy: evenLight },
  { defect: 'skewed', remedy: async (page) => straighten(await skewDegrees(page))(page) },
  { defect: 'small-text', remedy: enlarge },
  { defect: 'blurry', remedy: sharpen },
];

const MANY_SPECKS = 0.002;

/** A median removes specks, and from mere grain makes mud. */
const isSpeckled = (page: Raster): boolean => measure(toGrey(page)).specks > MANY_SPECKS;

async function skewDegrees(page: Raster): Promise<number> {
  return (skewOf(await detectLines(page)) * 180) / Math.PI;
}

export async function applyRemedies(page: Raster, defects: readonly Defect[]): Promise<Raster> {
  const wanted = new Set(remedies.filter(({ defect }) => defects.includes(defect)).map(({ remedy }) => remedy));
  let repaired = page;
  for (const remedy of wanted) repaired = await remedy(repaired);
  return repaired;
}
