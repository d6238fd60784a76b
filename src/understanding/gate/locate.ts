import type { ValueKind } from '../../domain/schema/field.ts';
import { memoizeBy } from '../../lib/memoize-by.ts';
import type { LabelledDate } from '../layout/dates.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { averageConfidence, type Line, type Span, toEvidence } from '../layout/line.ts';
import { mayMean } from '../values/currency.ts';
import { compactIban } from '../values/iban.ts';
import { compactVatId } from '../values/vat-id.ts';
import { isPrintedText, locateText } from './locate-text.ts';
import { printedNumbers } from './printed-numbers.ts';
import type { ValueLocation } from './value-location.ts';

interface Locator {
  /** The most legible of the places where a value is printed. */
  locate(value: unknown, reading: LayoutReading): ValueLocation | undefined;
  isPrinted(value: unknown, reading: LayoutReading): boolean;
}

const cent = 0.005;
const exact = 1e-9;

const locators = {
  text: textLocator(String),
  iban: textLocator((value) => compactIban(String(value))),
  vat_id: textLocator((value) => compactVatId(String(value))),
  date: placeLocator((value, reading) => datesByValue(reading).get(String(value)) ?? []),
  amount: numberLocator(cent),
  number: numberLocator(exact),
  currency: placeLocator((value, { lines }) => currencyPlaces(lines, String(value))),
} satisfies Record<ValueKind, Locator>;

/** Finds a value on the pages, regardless of the extractor's evidence. */
export function locate(
  value: unknown,
  kind: ValueKind,
  reading: LayoutReading,
): ValueLocation | undefined {
  return locators[kind].locate(value, reading);
}

/** Whether a value is printed at all: for the cells of long tables, of which only this counts. */
export function isPrinted(value: unknown, kind: ValueKind, reading: LayoutReading): boolean {
  return locators[kind].isPrinted(value, reading);
}

interface Place {
  line: Line;
  span: Span;
  /** The part of the span whose legibility counts. */
  legible?: Span;
}

function textLocator(toText: (value: unknown) => string): Locator {
  return {
    locate: (value, { lines }) => locateText(toText(value), lines),
    isPrinted: (value, { lines }) => isPrintedText(toText(value), lines),
  };
}

function placeLocator(
  placesOf: (value: unknown, reading: LayoutReading) => readonly Place[],
): Locator {
  return {
    locate: (value, reading) => mostLegible(placesOf(value, reading)),
    isPrinted: (value, reading) => placesOf(value, reading).length > 0,
  };
}

function numberLocator(tolerance: number): Locator {
  return {
    locate: (value, reading) =>
      mostLegible(
        printedNumbers(reading)
          .near(Number(value), tolerance)
          .map(({ line, amount }) => ({ line, span: amount, legible: figuresIn(line, amount) })),
      ),
    isPrinted: (value, reading) => printedNumbers(reading).includes(Number(value), tolerance),
  };
}

function mostLegible(places: readonly Place[]): ValueLocation | undefined {
  let best: Place | undefined;
  let confidence = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    const own = averageConfidence(place.line, place.legible ?? place.span);
    if (own > confidence) [best, confidence] = [place, own];
  }
  return best && { evidence: toEvidence(best.line, best.span), confidence };
}

const datesByValue = memoizeBy(({ dates }: LayoutReading) => {
  const byValue = new Map<string, Place[]>();
  for (const { line, match } of dates) {
    for (const value of new Set(readingsOf(match))) {
      const places = byValue.get(value);
      if (places) places.push({ line, span: match });
      else byValue.set(value, [{ line, span: match }]);
    }
  }
  return byValue;
});

function readingsOf({ readings }: LabelledDate['match']): string[] {
  return Object.values(readings).flatMap((value) => value ?? []);
}

/**
 * The confidence of a number is that of its digits. The currency symbol is checked as a value of
 * its own.
 */
function figuresIn({ text }: Line, { start, end }: Span): Span {
  const printed = text.slice(start, end);
  const first = Math.max(0, printed.search(/\d/));
  return { start: start + first, end: start + printed.search(/\D*$/) };
}

const currencyCache = memoizeBy((_: readonly Line[]) => new Map<string, Place[]>());

function currencyPlaces(lines: readonly Line[], code: string): readonly Place[] {
  const known = currencyCache(lines).get(code);
  if (known) return known;
  const places = lines.flatMap((line) =>
    [...line.text.matchAll(/[\p{L}]*\p{Sc}|\p{L}{2,4}(?!\p{L})/gu)]
      .filter(({ 0: printed }) => mayMean(printed, code))
      .map(({ 0: printed, index }) => ({
        line,
        span: { start: index, end: index + printed.length },
      })),
  );
  currencyCache(lines).set(code, places);
  return places;
}
