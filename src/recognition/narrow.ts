import type { Raster } from '../content/image/raster.ts';
import type { Crop } from './crop.ts';

/** Distance between strokes, in pixels, that the recogniser needs. */
const SPACING = 13.5;
const NARROWEST = 0.75;
/** Effective line height (sharpness × height) below which no column can be spared. */
const RESOLUTION = 8.5;

/** Heights of the sampled rows, as shares of the line height. */
const ROWS = [0.35, 0.42, 0.5, 0.58, 0.65];
/** Maximum distance between strokes; wider ones are word gaps. */
const MAX_DISTANCE = 40;
const MIN_SAMPLES = 30;
/** Minimum contrast between ink and paper for a row to count as text. */
const MIN_CONTRAST = 30;

/**
 * Narrows lines with wide letters: inference cost grows with width, and accuracy does not, unless
 * the line is blurred or small.
 */
export function narrow(page: Raster, crop: Crop): Crop {
  const { spacing, sharpness } = measureStrokes(page, crop);
  if (spacing === undefined || spacing <= SPACING || sharpness * crop.height < RESOLUTION)
    return crop;
  const narrowed = Math.max(NARROWEST, SPACING / spacing);
  return { ...crop, narrowed, width: Math.round(crop.width * narrowed) };
}

interface Strokes {
  /** Mean distance between strokes, in pixels of the recogniser's input. */
  spacing: number | undefined;
  /** Inverse width of edges: 1 if ink starts within one pixel, 0.5 within two. */
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
    if (light - dark < MIN_CONTRAST) continue;
    for (const distance of distances(row, dark, light)) {
      if (distance > MAX_DISTANCE) continue;
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
    spacing: count < MIN_SAMPLES ? undefined : sum / count,
    sharpness: squares / Math.max(1, steps),
  };
}

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

function* distances(row: Uint8Array, dark: number, light: number): Generator<number> {
  // Hysteresis: noise at an edge must not count as strokes.
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
