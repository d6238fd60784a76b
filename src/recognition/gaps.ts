import { median, quantile } from '../lib/quantile.ts';
import { type Crop, LINE_HEIGHT } from './crop.ts';
import type { Glyph } from './ctc.ts';

/** Rows near the border may hold parts of adjacent lines. */
const MARGIN = 3;
const INK_FREE = 1;
const MIN_GAP = 12;
/** A word gap exceeds the median gap of the line times this factor plus a constant. */
const USUAL_FACTOR = 1.5;
const USUAL_EXTRA = 5;
/** Glyphs with wide side bearings need a wider gap to end a word. */
const wideBearings = [
  { glyph: /[.,:'-]/, factor: 1.1 },
  { glyph: /[1IliJT]/, factor: 1.2 },
];
/** A letter after a comma starts a word; a digit may continue a number. */
const ALWAYS = /^,\p{L}$/u;
const NEVER = /,$/;

/** The recogniser drops spaces in dense type. This restores them from gaps in the pixels. */
export function addGapSpaces(
  glyphs: readonly Glyph[],
  green: Float32Array,
  stride: number,
  { width, narrowed }: Crop,
): Glyph[] {
  if (glyphs.length < 2) return [...glyphs];
  const ink = inkByColumn(green, stride, width);
  const gaps = glyphs
    .slice(1)
    .map((next, i) => widestGap(ink, glyphs[i]?.column ?? 0, next.column) / narrowed);
  const isSpace = (i: number) => glyphs[i]?.text === ' ' || glyphs[i + 1]?.text === ' ';
  const usual = median(gaps.filter((_, i) => !isSpace(i)));
  const threshold = Math.max(MIN_GAP, usual * USUAL_FACTOR + USUAL_EXTRA);
  return glyphs.flatMap((glyph, i) => {
    const next = glyphs[i + 1];
    if (!next || isSpace(i)) return [glyph];
    if (!endsWord(glyph.text + next.text, (gaps[i] ?? 0) / threshold)) return [glyph];
    return [glyph, { text: ' ', confidence: 1, column: (glyph.column + next.column) / 2 }];
  });
}

function endsWord(pair: string, gap: number): boolean {
  if (ALWAYS.test(pair)) return true;
  if (NEVER.test(pair)) return false;
  return (
    gap >=
    wideBearings.reduce(
      (needed, { glyph, factor }) => (glyph.test(pair) ? needed * factor : needed),
      1,
    )
  );
}

function widestGap(ink: Uint8Array, from: number, to: number): number {
  let widest = 0;
  let run = 0;
  for (let x = Math.round(from); x <= Math.min(ink.length - 1, Math.round(to)); x += 1) {
    run = (ink[x] ?? 0) <= INK_FREE ? run + 1 : 0;
    widest = Math.max(widest, run);
  }
  return widest;
}

function inkByColumn(green: Float32Array, stride: number, width: number): Uint8Array {
  const levels = new Uint8Array(LINE_HEIGHT * width);
  const histogram = new Uint32Array(256);
  for (let y = MARGIN - 1; y <= LINE_HEIGHT - MARGIN; y += 1) {
    for (let x = 0, from = y * stride, to = y * width; x < width; x += 1, from += 1, to += 1) {
      const level = Math.max(0, Math.min(255, ((green[from] ?? 0) + 1) * 127.5));
      levels[to] = level;
      histogram[level | 0] = (histogram[level | 0] ?? 0) + 1;
    }
  }
  const isInk = inkLevels(histogram);
  const ink = new Uint8Array(width);
  for (let y = MARGIN; y < LINE_HEIGHT - MARGIN; y += 1) {
    for (let x = 0, from = y * width; x < width; x += 1, from += 1) {
      ink[x] = (ink[x] ?? 0) + (isInk[levels[from] ?? 0] ?? 0);
    }
  }
  return ink;
}

/** Classifies grey levels as ink (1) or paper (0), for dark and for inverted text. */
function inkLevels(histogram: Uint32Array): Uint8Array {
  const dark = quantile(histogram, 0.05);
  const middle = quantile(histogram, 0.5);
  const light = quantile(histogram, 0.75);
  const isLightOnDark = light - middle > middle - dark && middle < 110;
  const threshold = isLightOnDark ? middle + (255 - middle) * 0.4 : dark + (light - dark) * 0.55;
  return Uint8Array.from({ length: 256 }, (_, level) =>
    Number(isLightOnDark ? level > threshold : level < threshold),
  );
}
