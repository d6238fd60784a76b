import type { ValueKind } from '../../domain/schema/field.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { averageConfidence, type Line, type Span, toEvidence } from '../layout/line.ts';
import { findAmounts } from '../values/amount.ts';
import { mayMean } from '../values/currency.ts';
import { compactIban } from '../values/iban.ts';
import { compactVatId } from '../values/vat-id.ts';
import { locateText } from './locate-text.ts';
import type { ValueLocation } from './value-location.ts';

type Locator = (value: unknown, reading: LayoutReading) => ValueLocation[];

const cent = 0.005;
const exact = 1e-9;

const locators = {
  text: (value, { lines }) => locateText(String(value), lines),
  iban: (value, { lines }) => locateText(compactIban(String(value)), lines),
  vat_id: (value, { lines }) => locateText(compactVatId(String(value)), lines),
  date: (value, { dates }) =>
    dates
      .filter(({ match: { readings } }) => Object.values(readings).includes(String(value)))
      .map(({ line, match }) => placeOf(line, match)),
  amount: (value, reading) => locateNumber(Number(value), reading, cent),
  number: (value, reading) => locateNumber(Number(value), reading, exact),
  currency: (value, { lines }) =>
    lines.flatMap((line) => currencySpans(line, String(value)).map((span) => placeOf(line, span))),
} satisfies Record<ValueKind, Locator>;

/**
 * Finds every place on the pages where a value is printed, regardless of the extractor's evidence.
 */
export function locate(value: unknown, kind: ValueKind, reading: LayoutReading): ValueLocation[] {
  return locators[kind](value, reading);
}

function locateNumber(
  value: number,
  { lines, decimal }: LayoutReading,
  tolerance: number,
): ValueLocation[] {
  return lines.flatMap((line) =>
    findAmounts(line.text, decimal)
      .filter((amount) => Math.abs(amount.value - value) < tolerance)
      .map((amount) => ({
        ...placeOf(line, amount),
        confidence: averageConfidence(line, figuresIn(line, amount)),
      })),
  );
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

function placeOf(line: Line, span: Span): ValueLocation {
  return { evidence: toEvidence(line, span), confidence: averageConfidence(line, span) };
}

function currencySpans({ text }: Line, code: string): Span[] {
  return [...text.matchAll(/[\p{L}]*\p{Sc}|\p{L}{2,4}(?!\p{L})/gu)]
    .filter(({ 0: printed }) => mayMean(printed, code))
    .map(({ 0: printed, index }) => ({ start: index, end: index + printed.length }));
}
