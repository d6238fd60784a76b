import { fold } from '../../lib/fold.ts';
import { memoizeBy } from '../../lib/memoize-by.ts';
import { averageConfidence, type Line, toEvidence } from '../layout/line.ts';
import { FoldedLines } from './folded-lines.ts';
import { findNearest, joinLocations, type ValueLocation } from './value-location.ts';

/**
 * The most legible place of a text. It is found if its letters and digits occur in order, or if
 * each of its pieces (split at commas, semicolons and line breaks) does.
 */
export function locateText(value: string, lines: readonly Line[]): ValueLocation | undefined {
  const text = foldedLines(lines);
  const whole = mostLegible(placesOf(fold(value), text));
  if (whole) return whole;
  const found = placePieces(piecesOf(value), text);
  return found.length >= 2 && found.every((piece) => piece !== undefined)
    ? joinLocations(found)
    : undefined;
}

export function isPrintedText(value: string, lines: readonly Line[]): boolean {
  const text = foldedLines(lines);
  const whole = fold(value);
  if (whole !== '' && text.includes(whole)) return true;
  const pieces = piecesOf(value);
  return pieces.length >= 2 && pieces.every((piece) => text.includes(piece));
}

const foldedLines = memoizeBy((lines: readonly Line[]) => new FoldedLines(lines));

function piecesOf(value: string): string[] {
  return value.split(/[,\n;]/).flatMap((piece) => fold(piece) || []);
}

/** A short piece occurs in many places: it is the one nearest to the longest piece. */
function placePieces(
  pieces: readonly string[],
  text: FoldedLines,
): readonly (ValueLocation | undefined)[] {
  const longest = pieces.reduce((a, b) => (b.length > a.length ? b : a), '');
  const anchor = placesOf(longest, text).next().value;
  return pieces.map((piece) =>
    piece === longest ? anchor : anchor && findNearest(anchor, placesOf(piece, text)),
  );
}

/** A text of few letters occurs nearly everywhere, and one legible place is enough. */
const mostPlaces = 1_000;

function* placesOf(needle: string, text: FoldedLines): Generator<ValueLocation, undefined> {
  if (needle === '') return;
  let count = 0;
  for (const parts of text.occurrencesOf(needle)) {
    const place = joinLocations(
      parts.map(({ line, span }) => ({
        evidence: toEvidence(line, span),
        confidence: averageConfidence(line, span),
      })),
    );
    if (place) yield place;
    if (++count >= mostPlaces) return;
  }
}

function mostLegible(places: Iterable<ValueLocation>): ValueLocation | undefined {
  let best: ValueLocation | undefined;
  for (const place of places) {
    if (!best || place.confidence > best.confidence) best = place;
    if (best.confidence >= 1) break;
  }
  return best;
}
