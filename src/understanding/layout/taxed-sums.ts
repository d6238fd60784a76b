import { memoizeBy } from '../../lib/memoize-by.ts';
import { findAmounts } from '../values/amount.ts';
import type { LabelledAmount } from './labelled-amount.ts';
import type { Line } from './line.ts';

/** Net and tax amounts confirmed by a printed rate: net times rate equals tax. */
interface TaxedSum {
  net: LabelledAmount;
  tax: LabelledAmount;
}

const rounding = 1;
const ratesAtMost = 12;
const netsAtMost = 60;

/**
 * All ways in which the document may charge tax, regardless of labels: by the rows of a tax table,
 * or by one rate on one net sum.
 */
export function findTaxedSums(amounts: readonly LabelledAmount[]): TaxedSum[][] {
  const apart = taxesOf(amounts).flatMap(({ tax, rates }) =>
    amounts
      .slice(-netsAtMost)
      .filter((net) => proves(net, rates, tax))
      .map((net) => [{ net, tax }]),
  );
  return [taxedRowsOf(amounts), ...apart].filter((sums) => sums.length > 0);
}

/** Net and tax on the same line, once per rate. */
function taxedRowsOf(amounts: readonly LabelledAmount[]): TaxedSum[] {
  const rows = taxesOf(amounts).flatMap(({ tax, rates }) => {
    const net = amounts.find((other) => other.line === tax.line && proves(other, rates, tax));
    return net ? [{ net, tax }] : [];
  });
  // The tax table may be repeated on the last page.
  const seen = new Set<string>();
  return rows.filter(({ net, tax }) => {
    const key = `${net.amount.value} ${tax.amount.value}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The amounts that make up the net sum or the tax of the document, if it prints them per rate. */
export function partsByRate(
  amounts: readonly LabelledAmount[],
  role: 'subtotal' | 'tax',
): LabelledAmount[][] {
  const rows = taxedRowsOf(amounts).map(({ net, tax }) => (role === 'tax' ? tax : net));
  const labelled = amounts.filter(
    (amount) => amount.role === role && amount.amount.value > 0 && ratesBeside(amount).length > 0,
  );
  return [rows, labelled].filter((parts) => parts.length > 1);
}

export function addUp(parts: readonly LabelledAmount[]): number {
  return parts.reduce((sum, { amount }) => sum + Math.round(amount.value * 100), 0) / 100;
}

function taxesOf(amounts: readonly LabelledAmount[]): { tax: LabelledAmount; rates: number[] }[] {
  return amounts
    .flatMap((tax) => {
      const rates = ratesBeside(tax);
      return rates.length > 0 ? [{ tax, rates }] : [];
    })
    .slice(-ratesAtMost);
}

function ratesBeside({ line }: LabelledAmount): number[] {
  return ratesIn(line);
}

const ratesIn = memoizeBy(({ text }: Line): number[] =>
  findAmounts(text).flatMap(({ percent, value }) =>
    percent && value > 0 && value < 50 ? [value] : [],
  ),
);

function proves(net: LabelledAmount, rates: readonly number[], tax: LabelledAmount): boolean {
  const [base, charged] = [net.amount.value, tax.amount.value];
  return (
    charged > 0 &&
    base > charged &&
    rates.some((rate) => Math.abs(base * rate - charged * 100) <= rounding)
  );
}
