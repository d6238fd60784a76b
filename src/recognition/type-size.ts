import type { Raster } from '../content/image/raster.ts';
import { quantile } from '../lib/quantile.ts';

/** Columns between those looked at. */
const COLUMN_STEP = 3;
/** A share of the paper's level below which there is ink. */
const INK = 0.7;
/** How fast the level of the paper follows that of the column, in shares of the difference. */
const FOLLOWING = 0.05;
/** Shorter runs of ink are horizontal strokes and grain, longer ones rules and pictures. */
const SHORTEST = 3;
const LONGEST = 100;
/** The longest tenth are the strokes that run down a whole letter. */
const UPRIGHT = 0.9;
const ENOUGH = 200;

/** About how high letters are, in pixels; undefined where a page does not tell. */
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
        paper = level > paper ? level : paper + (level - paper) * FOLLOWING;
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
      // What is dark for so long is the paper here.
      if (length >= LONGEST) paper = level;
      start = -1;
    }
  }
  return count < ENOUGH ? undefined : quantile(runs, UPRIGHT);
}
