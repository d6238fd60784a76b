import { fold } from '../../lib/fold.ts';
import { around, averageConfidence, type Line, toEvidence } from '../layout/line.ts';
import type { ValueLocation } from './value-location.ts';

/**
 * A text is found if its letters and digits occur in order, or if each of its pieces (split at
 * commas, semicolons and line breaks) does.
 */
export function locateText(value: string, lines: readonly Line[]): ValueLocation[] {
  const whole = placesOf(fold(value), lines);
  if (whole.length > 0) return whole;
  const pieces = value.split(/[,\n;]/).filter((piece) => fold(piece) !== '');
  if (pieces.length < 2) return [];
  const found = pieces.map((piece) => placesOf(fold(piece), lines)[0]);
  const place = joined(found.flatMap((piece) => piece ?? []));
  return place && found.every((piece) => piece !== undefined) ? [place] : [];
}

function placesOf(needle: string, lines: readonly Line[]): ValueLocation[] {
  if (needle === '') return [];
  const { folded, origins } = foldedPages(lines);
  const places: ValueLocation[] = [];
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) {
    const place = joined(linesOver(origins.slice(at, at + needle.length)));
    if (place) places.push(place);
  }
  return places;
}

interface Origin {
  line: Line;
  offset: number;
}

const cache = new WeakMap<readonly Line[], { folded: string; origins: Origin[] }>();

/**
 * All lines as one folded text, with the origin of each character. Cached because the gate looks up
 * many values.
 */
function foldedPages(lines: readonly Line[]): { folded: string; origins: Origin[] } {
  const cached = cache.get(lines);
  if (cached) return cached;
  const origins: Origin[] = [];
  let folded = '';
  for (const line of lines) {
    let offset = 0;
    for (const character of line.text) {
      const letters = fold(character);
      folded += letters;
      for (let i = 0; i < letters.length; i++) origins.push({ line, offset });
      offset += character.length;
    }
  }
  cache.set(lines, { folded, origins });
  return { folded, origins };
}

function linesOver(origins: readonly Origin[]): ValueLocation[] {
  return [...new Set(origins.map(({ line }) => line))].map((line) => {
    const offsets = origins.filter((origin) => origin.line === line).map(({ offset }) => offset);
    const span = { start: Math.min(...offsets), end: Math.max(...offsets) + 1 };
    return { evidence: toEvidence(line, span), confidence: averageConfidence(line, span) };
  });
}

function joined(places: readonly ValueLocation[]): ValueLocation | undefined {
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
    confidence: Math.min(...places.map(({ confidence }) => confidence)),
  };
}
