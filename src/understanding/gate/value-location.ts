import type { Evidence } from '../../domain/extraction.ts';
import { around } from '../layout/line.ts';

/** Where the gate itself found a value. */
export interface ValueLocation {
  evidence: Evidence;
  /** Confidence of the least certain word of the value. */
  confidence: number;
}

/** A value that stands in several places: its box is around those on the first page. */
export function joinLocations(places: readonly ValueLocation[]): ValueLocation | undefined {
  const [first] = places;
  if (!first) return undefined;
  const samePage = places.filter(({ evidence }) => evidence.page === first.evidence.page);
  const box = around(
    samePage.flatMap(({ evidence }) => (evidence.box ? [{ box: evidence.box }] : [])),
  );
  return {
    evidence: {
      ...first.evidence,
      text: places.map(({ evidence }) => evidence.text).join('\n'),
      ...(box && { box }),
    },
    confidence: places.reduce((least, { confidence }) => Math.min(least, confidence), 1),
  };
}

export function findNearest(
  anchor: ValueLocation,
  places: Iterable<ValueLocation>,
): ValueLocation | undefined {
  let nearest: ValueLocation | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const gap = gapBetween(anchor.evidence, place.evidence);
    if (!nearest || gap < least) [nearest, least] = [place, gap];
    if (least === 0) break;
  }
  return nearest;
}

/** In page units; none where pages have no geometry. */
function gapBetween(a: Evidence, b: Evidence): number {
  if (a.page !== b.page) return Number.POSITIVE_INFINITY;
  if (!a.box || !b.box) return 0;
  const across = Math.max(0, a.box[0] - b.box[2], b.box[0] - a.box[2]);
  const down = Math.max(0, a.box[1] - b.box[3], b.box[1] - a.box[3]);
  return across + down;
}
