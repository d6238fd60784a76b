import type { Box } from './transcription.ts';

/** A hundredth of a pixel on an image of 1,000 pixels. */
const digits = 5;

/** A box in fractions of the page, from 0 to 1; undefined for a page without a size. */
export function toRelativeBox(
  [left, top, right, bottom]: Box,
  { width, height }: { width: number; height: number },
): Box | undefined {
  if (!(width > 0 && height > 0)) return undefined;
  return [share(left, width), share(top, height), share(right, width), share(bottom, height)];
}

/** Text may stand out over the edge of its page. */
function share(at: number, side: number): number {
  return Number(Math.min(1, Math.max(0, at / side)).toFixed(digits));
}
