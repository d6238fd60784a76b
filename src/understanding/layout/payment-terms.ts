import { isAmbiguous } from '../values/date.ts';
import { rankDates } from './dates.ts';
import { isDiscounted } from './discounted.ts';
import { phrasesFor, says } from './labels.ts';
import type { LayoutReading } from './layout-reading.ts';
import type { Line, Span } from './line.ts';
import { findPhrase } from './phrase.ts';

export interface PaymentTerm extends Span {
  line: Line;
  /** The due date, in ISO 8601. */
  value: string;
}

/**
 * The due date from terms such as "Payable within 30 days", counted from the date of issue.
 * Undefined if the document contains contradictory terms.
 */
export function findPaymentTerm({
  lines,
  dates,
  dateOrder,
}: LayoutReading): PaymentTerm | undefined {
  const [issued] = rankDates(dates, dateOrder);
  if (!issued || (isAmbiguous(issued.match) && !dateOrder)) return undefined;
  const terms = lines.flatMap((line, i) => {
    const isOnPayment = says(line.text, 'payment') || isHeading(lines[i - 1]);
    return isOnPayment ? clausesOf(line).flatMap((clause) => termIn(clause, line)) : [];
  });
  const [first] = terms;
  if (!first || terms.some(({ days }) => days !== first.days)) return undefined;
  const { days, ...place } = first;
  return { ...place, value: daysAfter(issued.value, days) };
}

/** "Terms of payment:" above the terms. */
function isHeading(line: Line | undefined): boolean {
  return (
    line !== undefined &&
    line.text.length < 40 &&
    !/\d/.test(line.text) &&
    says(line.text, 'payment')
  );
}

interface Clause extends Span {
  text: string;
}

function clausesOf({ text }: Line): Clause[] {
  return [...text.matchAll(/(?:[^,;.]|[.,](?=\d))+/g)].map(({ 0: clause, index }) => ({
    text: clause,
    start: index,
    end: index + clause.length,
  }));
}

function termIn({ text, start, end }: Clause, line: Line): (Span & { line: Line; days: number })[] {
  if (isDiscounted(text) || says(line.text, 'otherTerm')) return [];
  const days = [...text.matchAll(/(?<![\d.,/-])\d{1,3}(?= *\p{L})/gu)]
    .filter(({ 0: number, index }) => isFollowedByDays(text.slice(index + number.length)))
    .map(({ 0: number }) => Number(number));
  return days.length === 1 ? days.map((each) => ({ start, end, line, days: each })) : [];
}

function isFollowedByDays(text: string): boolean {
  const span = findPhrase(text, phrasesFor('days'));
  return span !== undefined && text.slice(0, span.start).trim() === '';
}

function daysAfter(date: string, days: number): string {
  const day = new Date(date);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
