import type { Raster } from '../image/raster.ts';
import type { Crop } from './crop.ts';

/** Heights within a line, as shares of it, at which its letters are crossed. */
const ROWS = [0.35, 0.42, 0.5, 0.58, 0.65];
/** From stroke to stroke; what lies further apart has a space between. */
const FURTHEST = 40;
/** Fewer say nothing of the type. */
const ENOUGH = 30;
/** Levels between ink and paper below which a row holds no letters. */
const FAINT = 30;

/** Pixels between strokes that the recogniser needs. */
const SPACING = 13;
const NARROWEST = 0.7;

/** A line with wide letters costs as much as its width, and is read no better for it. */
export function narrow(page: Raster, crop: Crop): Crop {
  const spacing = strokeSpacing(page, crop);
  if (spacing === undefined || spacing <= SPACING) return crop;
  const narrowed = Math.max(NARROWEST, SPACING / spacing);
  return { ...crop, narrowed, width: Math.round(crop.width * narrowed) };
}

/** How far the strokes of a line's letters stand apart, in pixels of the line as the recogniser would see it. */
function strokeSpacing(page: Raster, crop: Crop): number | undefined {
  let [sum, count] = [0, 0];
  for (const height of ROWS) {
    for (const distance of distances(rowAt(page, crop, height))) {
      if (distance > FURTHEST) continue;
      sum += distance;
      count += 1;
    }
  }
  return count < ENOUGH ? undefined : sum / count;
}

/** The green of the page along a line. */
function rowAt({ data, width, height }: Raster, { quad, width: columns }: Crop, share: number): Uint8Array {
  const [origin, right, , below] = quad;
  const [left, top] = [
    origin[0] + (below[0] - origin[0]) * share - 0.5,
    origin[1] + (below[1] - origin[1]) * share - 0.5,
  ];
  const [dx, dy] = [(right[0] - origin[0]) / columns, (right[1] - origin[1]) / columns];
  const row = new Uint8Array(columns);
  for (let column = 0; column < columns; column += 1) {
    const x = Math.min(width - 1, Math.max(0, Math.round(left + dx * (column + 0.5))));
    const y = Math.min(height - 1, Math.max(0, Math.round(top + dy * (column + 0.5))));
    row[column] = data[(y * width + x) * 3 + 1] ?? 0;
  }
  return row;
}

/** Columns from where one stroke begins to where the next does. */
function* distances(row: Uint8Array): Generator<number> {
  const sorted = row.toSorted();
  const [dark, light] = [sorted[Math.floor(row.length * 0.05)] ?? 0, sorted[Math.floor(row.length * 0.85)] ?? 0];
  if (light - dark < FAINT) return;
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
