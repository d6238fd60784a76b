import { fallback } from '../../domain/known-types.ts';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import { type DateCandidate, rankDates } from '../layout/dates.ts';
import { phrasesFor } from '../layout/labels.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { findPhrase } from '../layout/phrase.ts';
import { asksForMoney, rankTotals, type TotalCandidate } from '../layout/totals.ts';
import { isAmbiguous, resolveDate } from '../values/date.ts';
import { contradictedByLabel } from './contradicted-by-label.ts';
import { contradictedBuyer, contradictedSupplier } from './contradicted-party.ts';

const largestRounding = 0.06;

/** Looks for evidence on the page against a value that is printed there. */
export function findContradiction(
  name: string,
  value: unknown,
  { name: type, fields }: DocumentSchema,
  reading: LayoutReading,
): string | undefined {
  if (fields[name]?.labels) return contradictedByLabel(name, value, fields, reading);
  if (type === fallback && name === 'title') return contradictedTitle(reading);
  return contradictions[name]?.(value, reading);
}

const contradictions: Readonly<
  Record<string, (value: unknown, reading: LayoutReading) => string | undefined>
> = {
  total: contradictedTotal,
  invoice_date: contradictedDate,
  supplier_name: contradictedSupplier,
  buyer_name: contradictedBuyer,
};

function contradictedTotal(value: unknown, { amounts }: LayoutReading): string | undefined {
  const ranked = rankTotals(amounts);
  const own = ranked.find((candidate) => Math.abs(candidate.value - Number(value)) < 0.005);
  if (!own) return 'does not match any total printed in the document';
  const rival = ranked.find((candidate) => candidate !== own && rivals(candidate, own));
  if (rival) return `may also be ${rival.value}`;
  if (!isNamedTotal(own, ranked)) return 'is not labelled as a total';
  return !own.at.line.native && !own.paid && !own.sum && own.lines < 2
    ? 'is printed only once and no other amounts confirm it'
    : undefined;
}

/** By its label, by the amount paid, or as the largest sum confirmed by a printed tax rate. */
function isNamedTotal(
  { at: { role }, paid, taxed, value }: TotalCandidate,
  ranked: readonly TotalCandidate[],
): boolean {
  if (role === 'total' || role === 'payable') return true;
  return (
    role !== 'paid' &&
    (paid || (role === undefined && taxed && ranked.every((other) => other.value <= value)))
  );
}

/**
 * Another amount labelled as the total is a rival unless it leads to this one (a subtotal, a sum
 * before rounding). If both the exact and the rounded total are printed, either may be the intended
 * one.
 */
function rivals(other: TotalCandidate, own: TotalCandidate): boolean {
  if (other.score > own.score) return true;
  const { role, label, inTaxSummary } = other.at;
  if (inTaxSummary || (role !== 'total' && role !== 'payable')) return false;
  const rounded =
    Math.abs(other.value - own.value) < largestRounding &&
    !findPhrase(label, phrasesFor('inclusive'));
  const leadsHere = (own.paid && !other.paid) || (own.sum && own.score - other.score >= 0.1);
  return rounded || !leadsHere;
}

function contradictedDate(value: unknown, { dates, dateOrder }: LayoutReading): string | undefined {
  const ranked = rankDates(dates, dateOrder);
  const own = ranked.find((candidate) => candidate.value === value);
  if (!own) return 'does not match any date of issue printed in the document';
  if (own.bare) return 'is printed as digits without separators';
  if (isTorn(own)) return 'may be missing digits';
  if (isAmbiguous(own.match) && !dateOrder) return 'may have day and month swapped';
  const rival = ranked.find(
    (candidate) => candidate.value !== value && isAsWellLabelled(candidate, own),
  );
  return rival && resolveDate(rival.match, dateOrder) ? `may also be ${rival.value}` : undefined;
}

/** A date with a specific label is not challenged by dates with a vaguer label or none. */
function isAsWellLabelled({ role }: DateCandidate, own: DateCandidate): boolean {
  return own.role === undefined || role === 'issued' || role === own.role;
}

/**
 * A document with a total but no title of its own may be an invoice or receipt that was not
 * recognised.
 */
function contradictedTitle({ amounts, lines }: LayoutReading): string | undefined {
  const saysWhat = lines.some(({ text }) =>
    (['title', 'invoiceNumber'] as const).some((label) => findPhrase(text, phrasesFor(label))),
  );
  return asksForMoney(amounts) && !saysWhat
    ? 'is uncertain: the document has a total, so it may be an invoice or a receipt'
    : undefined;
}

/**
 * The year contains a space, or a two-digit year is followed by digits that are not a time of day.
 */
function isTorn({ match: { text, end }, line }: DateCandidate): boolean {
  return (
    /\d \d+$/.test(text) ||
    (/\D\d{2}$/.test(text) && /^ \d{1,2}(?![\d:.])/.test(line.text.slice(end)))
  );
}
