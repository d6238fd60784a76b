import { convexHull, type Point, type Rectangle, smallestRectangle } from './geometry.ts';

export interface Heatmap {
  data: Float32Array;
  width: number;
  height: number;
}

const PIXEL_THRESHOLD = 0.3;
const REGION_THRESHOLD = 0.5;
/** Detection marks the core of a line; this factor expands it to full glyphs (DB unclip ratio). */
const UNCLIP = 1.6;
/** The expanded box exceeds the letters by about this many pixels, at any font size. */
const MARGIN = 7.5;
/** Share of the line height that letters take in the recogniser's training data. */
const LETTERS = 0.7;
const MIN_PIXELS = 6;
const MIN_CORE = 2;
const MIN_BREADTH = 5;

/** Connected components of a text heatmap, each as a rotated rectangle. */
export function findRegions(heatmap: Heatmap): Rectangle[] {
  const { data } = heatmap;
  const seen = new Uint8Array(data.length);
  const stack = new Int32Array(data.length);
  const regions: Rectangle[] = [];
  for (let start = 0; start < data.length; start += 1) {
    if (seen[start] || (data[start] ?? 0) <= PIXEL_THRESHOLD) continue;
    const area = flood(heatmap, start, seen, stack);
    if (area.pixels < MIN_PIXELS || area.sum / area.pixels < REGION_THRESHOLD) continue;
    const region = grow(smallestRectangle(convexHull(outline(area.rows))));
    if (region) regions.push(region);
  }
  return regions;
}

interface Area {
  pixels: number;
  sum: number;
  /** Row → leftmost and rightmost pixel, which is enough for the convex hull. */
  rows: Map<number, [number, number]>;
}

function flood(
  { data, width, height }: Heatmap,
  start: number,
  seen: Uint8Array,
  stack: Int32Array,
): Area {
  const area: Area = { pixels: 0, sum: 0, rows: new Map() };
  let top = 0;
  const visit = (pixel: number) => {
    if (seen[pixel] || (data[pixel] ?? 0) <= PIXEL_THRESHOLD) return;
    seen[pixel] = 1;
    stack[top] = pixel;
    top += 1;
  };
  visit(start);
  while (top > 0) {
    top -= 1;
    const pixel = stack[top] ?? 0;
    const x = pixel % width;
    const y = (pixel - x) / width;
    area.pixels += 1;
    area.sum += data[pixel] ?? 0;
    widen(area.rows, y, x);
    if (x > 0) visit(pixel - 1);
    if (x < width - 1) visit(pixel + 1);
    if (y > 0) visit(pixel - width);
    if (y < height - 1) visit(pixel + width);
  }
  return area;
}

function widen(rows: Area['rows'], y: number, x: number): void {
  const row = rows.get(y);
  if (!row) rows.set(y, [x, x]);
  else if (x < row[0]) row[0] = x;
  else if (x > row[1]) row[1] = x;
}

function outline(rows: Area['rows']): Point[] {
  return [...rows].flatMap(([y, [left, right]]): Point[] => [
    [left, y],
    [right + 1, y],
    [left, y + 1],
    [right + 1, y + 1],
  ]);
}

function grow(core: Rectangle | undefined): Rectangle | undefined {
  if (!core || Math.min(core.length, core.breadth) < MIN_CORE) return undefined;
  const margin = (core.length * core.breadth * UNCLIP) / (core.length + core.breadth);
  const [length, breadth] = [core.length + margin, core.breadth + margin];
  if (Math.min(length, breadth) < MIN_BREADTH) return undefined;
  return length < breadth
    ? { ...core, length: withMarks(length), breadth }
    : { ...core, length, breadth: withMarks(breadth) };
}

/** Large type fills its box and needs extra room for diacritics; small type has it already. */
function withMarks(height: number): number {
  return Math.max(height, (height - MARGIN) / LETTERS);
}
