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

/** What else on the page speaks against a value that does stand there. */
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
  if (!own) return 'is not printed as a total';
  const rival = ranked.find((candidate) => candidate !== own && rivals(candidate, own));
  if (rival) return `may also be ${rival.value}`;
  if (!isNamedTotal(own, ranked)) return 'is not labelled as a total';
  return !own.at.line.native && !own.paid && !own.sum && own.lines < 2
    ? 'is printed once and nothing adds up to it'
    : undefined;
}

/** By its label, by what was paid, or as the largest sum that a printed rate of tax proves. */
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
 * Another amount labelled as the total, unless it leads to this one (a subtotal, a sum before rounding). Where both the
 * plain total and the rounded one are printed, people differ on which is meant.
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
  if (!own) return 'is not printed as a date of issue';
  if (own.bare) return 'is printed as mere digits';
  if (isTorn(own)) return 'may have lost digits';
  if (isAmbiguous(own.match) && !dateOrder) return 'may have day and month swapped';
  const rival = ranked.find(
    (candidate) => candidate.value !== value && isAsWellLabelled(candidate, own),
  );
  return rival && resolveDate(rival.match, dateOrder) ? `may also be ${rival.value}` : undefined;
}

/** A date whose label says what it is has nothing to fear from dates that say less. */
function isAsWellLabelled({ role }: DateCandidate, own: DateCandidate): boolean {
  return own.role === undefined || role === 'issued' || role === own.role;
}

/** A document that asks for money without saying what it is may be an invoice or receipt that was not recognised. */
function contradictedTitle({ amounts, lines }: LayoutReading): string | undefined {
  const saysWhat = lines.some(({ text }) =>
    (['title', 'invoiceNumber'] as const).some((label) => findPhrase(text, phrasesFor(label))),
  );
  return asksForMoney(amounts) && !saysWhat
    ? 'stands over a total: this may be an invoice or a receipt'
    : undefined;
}

/** Spaces inside a year, or digits right behind a short one that are no time of day. */
function isTorn({ match: { text, end }, line }: DateCandidate): boolean {
  return (
    /\d \d+$/.test(text) ||
    (/\D\d{2}$/.test(text) && /^ \d{1,2}(?![\d:.])/.test(line.text.slice(end)))
  );
}
