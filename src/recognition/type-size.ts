import type { Raster } from '../content/image/raster.ts';
import { quantile } from '../lib/quantile.ts';

const COLUMN_STEP = 3;
/** Pixels below this share of the paper level are ink. */
const INK = 0.7;
/** Smoothing factor of the running estimate of the paper level. */
const SMOOTHING = 0.05;
/** Shorter runs of ink are horizontal strokes or noise, longer ones rules or images. */
const SHORTEST = 3;
const LONGEST = 100;
/** The longest 10 % of runs are vertical strokes of full letter height. */
const UPRIGHT = 0.9;
const MIN_RUNS = 200;

/** Estimates the letter height in pixels; undefined if there are too few samples. */
export function typeSize({ data, width, height }: Raster): number | undefined {
  const runs = new Uint32Array(LONGEST);
  let count = 0;
  for (let x = 0; x < width; x += COLUMN_STEP) {
    let paper = data[x * 3 + 1] ?? 0;
    let darkest = 0;
    let start = -1;
    for (let y = 0, at = x * 3 + 1; y < height; y += 1, at += width * 3) {
      const level = data[at] ?? 0;
      if (start < 0) {
        paper = level > paper ? level : paper + (level - paper) * SMOOTHING;
        if (level < paper * INK) [start, darkest] = [y, level];
        continue;
      }
      darkest = Math.min(darkest, level);
      const length = y - start;
      if (length < LONGEST && level <= (darkest + paper) / 2) continue;
      if (length >= SHORTEST && length < LONGEST) {
        runs[length] = (runs[length] ?? 0) + 1;
        count += 1;
      }
      // A dark run of this length is background, such as inverted text.
      if (length >= LONGEST) paper = level;
      start = -1;
    }
  }
  return count < MIN_RUNS ? undefined : quantile(runs, UPRIGHT);
}
