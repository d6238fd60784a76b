import type { Raster } from '../content/image/raster.ts';
import type { Crop } from './crop.ts';

/** Pixels between strokes that the recogniser needs. */
const SPACING = 13.5;
const NARROWEST = 0.75;
/** Sharp pixels that a line is high, below which every one of its columns is needed. */
const RESOLUTION = 8.5;

/** Heights within a line, as shares of it, at which its letters are crossed. */
const ROWS = [0.35, 0.42, 0.5, 0.58, 0.65];
/** From stroke to stroke; what lies further apart has a space between. */
const FURTHEST = 40;
/** Fewer say nothing of the type. */
const ENOUGH = 30;
/** Levels between ink and paper below which a row holds no letters. */
const FAINT = 30;

/** A line with wide letters costs as much as its width, and is read no better for it, unless it is blurred or small. */
export function narrow(page: Raster, crop: Crop): Crop {
  const { spacing, sharpness } = measureStrokes(page, crop);
  if (spacing === undefined || spacing <= SPACING || sharpness * crop.height < RESOLUTION)
    return crop;
  const narrowed = Math.max(NARROWEST, SPACING / spacing);
  return { ...crop, narrowed, width: Math.round(crop.width * narrowed) };
}

interface Strokes {
  /** How far they stand apart, in pixels of the line as the recogniser would see it. */
  spacing: number | undefined;
  /** 1 where ink begins from one pixel to the next, a half where it takes two of them. */
  sharpness: number;
}

function measureStrokes(page: Raster, crop: Crop): Strokes {
  let [sum, count, steps, squares] = [0, 0, 0, 0];
  for (const height of ROWS) {
    const row = rowAt(page, crop, height);
    const sorted = row.toSorted();
    const [dark, light] = [
      sorted[Math.floor(row.length * 0.05)] ?? 0,
      sorted[Math.floor(row.length * 0.85)] ?? 0,
    ];
    if (light - dark < FAINT) continue;
    for (const distance of distances(row, dark, light)) {
      if (distance > FURTHEST) continue;
      sum += distance;
      count += 1;
    }
    for (let column = 1; column < row.length; column += 1) {
      const step = Math.abs((row[column] ?? 0) - (row[column - 1] ?? 0));
      steps += step;
      squares += (step * step) / (light - dark);
    }
  }
  return {
    spacing: count < ENOUGH ? undefined : sum / count,
    sharpness: squares / Math.max(1, steps),
  };
}

/** The green of the page along a line. */
function rowAt(
  { data, width, height }: Raster,
  { quad, width: columns }: Crop,
  share: number,
): Uint8Array {
  const [origin, right, , below] = quad;
  const left = origin[0] + (below[0] - origin[0]) * share - 0.5;
  const top = origin[1] + (below[1] - origin[1]) * share - 0.5;
  const dx = (right[0] - origin[0]) / columns;
  const dy = (right[1] - origin[1]) / columns;
  const row = new Uint8Array(columns);
  for (let column = 0; column < columns; column += 1) {
    const x = Math.min(width - 1, Math.max(0, Math.round(left + dx * (column + 0.5))));
    const y = Math.min(height - 1, Math.max(0, Math.round(top + dy * (column + 0.5))));
    row[column] = data[(y * width + x) * 3 + 1] ?? 0;
  }
  return row;
}

/** Columns from where one stroke begins to where the next does. */
function* distances(row: Uint8Array, dark: number, light: number): Generator<number> {
  // Two thresholds, so that grain on an edge makes no strokes.
  const [ink, paper] = [dark + (light - dark) * 0.4, dark + (light - dark) * 0.6];
  let last: number | undefined;
  let isInk = false;
  for (const [column, level] of row.entries()) {
    if (isInk) {
      isInk = level <= paper;
    } else if (level < ink) {
      if (last !== undefined) yield column - last;
      last = column;
      isInk = true;
    }
  }
}
