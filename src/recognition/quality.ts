import { type Measures, measure } from '../content/image/measure.ts';
import { type Raster, toGrey } from '../content/image/raster.ts';
import { type Defect, defects, type Quality, type Word } from '../domain/transcription.ts';
import { measurePrint, type Print } from './print.ts';

type Signals = Measures & Print & { skew: number };

/**
 * Severity of each defect, rising from 0 at `from` to 1 at `to`, and its cost: the share of the
 * score lost at full severity. Thresholds were calibrated on scans and degraded copies of them.
 */
const scales = {
  blurry: {
    of: ({ crispness, height }) => 1 / Math.max(0.01, crispness * height),
    from: 0.085,
    to: 0.125,
    cost: 0.35,
  },
  dark: { of: ({ paper }) => paper, from: 140, to: 90, cost: 0.22 },
  'low-contrast': {
    of: ({ contrast, paper }) => contrast / Math.max(1, paper),
    from: 0.42,
    to: 0.25,
    cost: 0.22,
  },
  skewed: { of: ({ skew }) => skew, from: 1.5, to: 10, cost: 0.1 },
  noisy: {
    of: ({ grain, specks }) => Math.max(grain / 16, specks / 0.008),
    from: 0.4,
    to: 1,
    cost: 0.35,
  },
  'small-text': { of: ({ height }) => height, from: 21, to: 14, cost: 0.25 },
} satisfies Record<
  Defect,
  { of(signals: Signals): number; from: number; to: number; cost: number }
>;

/** Mean confidence of correct text, and of guesses. */
const CONFIDENT = 0.92;
const GUESSING = 0.5;
const EMPTY_CONTRAST = 25;
/** Grey level of the paper of a page that shows nothing. */
const BLACK = 60;

/** Legibility of a page, from its pixels and the recogniser's confidence. */
export function qualityOfScan(page: Raster, words: readonly Word[], skewDegrees: number): Quality {
  const grey = toGrey(page);
  const pixels = measure(grey);
  if (words.length === 0) return qualityWithoutWords(pixels);
  const signals = { ...pixels, ...measurePrint(grey, words), skew: Math.abs(skewDegrees) };
  const severity = (defect: Defect) => ramp(scales[defect].of(signals), scales[defect]);
  const sureness = ramp(signals.confidence, { from: GUESSING, to: CONFIDENT });
  const score = defects.reduce(
    (left, defect) => left * (1 - scales[defect].cost * severity(defect)),
    sureness,
  );
  return {
    score: Math.round(score * 1000) / 1000,
    defects: defects.filter((defect) => severity(defect) > 0.25),
  };
}

/** A blank page is as legible as it can be. A black one may show something once it is brightened. */
function qualityWithoutWords({ paper, ink }: Measures): Quality {
  if (paper < BLACK) return { score: 0, defects: ['dark'] };
  return { score: paper - ink < EMPTY_CONTRAST ? 1 : 0, defects: [] };
}

function ramp(value: number, { from, to }: { from: number; to: number }): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}
