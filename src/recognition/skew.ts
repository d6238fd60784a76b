import { distance, type Quad } from './geometry.ts';

/** Short boxes lean by chance. */
const MIN_RATIO = 4;

/** Angle of the lines of a page against the horizontal, in radians; the median by length. */
export function measureSkew(quads: readonly Quad[]): number {
  const angles = quads
    .map(([a, b, , d]) => ({
      angle: Math.atan2(b[1] - a[1], b[0] - a[0]),
      length: distance(a, b),
      height: distance(a, d),
    }))
    .filter(({ length, height }) => length > MIN_RATIO * height)
    .toSorted((a, b) => a.angle - b.angle);
  const half = angles.reduce((sum, { length }) => sum + length, 0) / 2;
  let seen = 0;
  return (
    angles.find(({ length }) => {
      seen += length;
      return seen >= half;
    })?.angle ?? 0
  );
}
