import { distance, type Quad } from './geometry.ts';

/** The angle of short boxes is unreliable. */
const MIN_RATIO = 4;

/** Skew of a page in radians: the median line angle, weighted by length. */
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
