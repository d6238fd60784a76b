import type { Word } from '../domain/transcription.ts';
import type { Quad } from './geometry.ts';

export interface Segment {
  quad: Quad;
  height: number;
  words: readonly Word[];
}

interface Row {
  top: number;
  bottom: number;
  segments: (Segment & { left: number })[];
}

/** Minimum vertical overlap for two segments to share a line, relative to the smaller height. */
const SAME_LINE = 0.5;

/** Groups segments into lines, top to bottom and left to right, corrected for skew. */
export function printedLines(segments: readonly Segment[], skew: number): Word[][] {
  const rows: Row[] = [];
  const placed = segments
    .filter(({ words }) => words.length > 0)
    .map((segment) => ({ ...segment, ...place(segment, skew) }));
  for (const { middle, ...segment } of placed.toSorted((a, b) => a.middle - b.middle)) {
    const [top, bottom] = [middle - segment.height / 2, middle + segment.height / 2];
    const row = rows.findLast((known) => sharesLine(known, { top, bottom }));
    if (row) row.segments.push(segment);
    else rows.push({ top, bottom, segments: [segment] });
  }
  return rows
    .toSorted((a, b) => a.top + a.bottom - (b.top + b.bottom))
    .map((row) => row.segments.toSorted((a, b) => a.left - b.left).flatMap(({ words }) => words));
}

export function lineText(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

function place({ quad: [a, b, c, d] }: Segment, skew: number): { left: number; middle: number } {
  const [x, y] = [(a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4];
  return { left: Math.min(a[0], d[0]), middle: y * Math.cos(skew) - x * Math.sin(skew) };
}

function sharesLine(a: Pick<Row, 'top' | 'bottom'>, b: Pick<Row, 'top' | 'bottom'>): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return shared > SAME_LINE * Math.min(a.bottom - a.top, b.bottom - b.top);
}
