import { memoizeBy } from '../../lib/memoize-by.ts';
import type { AmountRole } from './amount-role.ts';
import type { LabelledAmount } from './labelled-amount.ts';
import { addUp, findTaxedSums, partsByRate } from './taxed-sums.ts';

export interface TotalCandidate {
  value: number;
  /** Its best labelled occurrence. */
  at: LabelledAmount;
  score: number;
  /** Equals the cash received minus the change, or the amount charged to the card. */
  paid: boolean;
  /** Subtotal, tax, service and rounding add up to this amount. */
  sum: boolean;
  /** Net and tax add up to this amount, and a printed tax rate confirms them. */
  taxed: boolean;
  /** Number of lines that contain this amount. */
  lines: number;
}

const weights = {
  payable: 0.65,
  total: 0.5,
  subtotal: 0.3,
  paid: 0.1,
  quantity: 0.1,
} as const satisfies Partial<Record<AmountRole, number>>;
const labelled = 0.1;
const inSummary = 0.35;

/** Candidates for the total, best first: by label, by arithmetic, by number of occurrences. */
export const rankTotals = memoizeBy(
  (printed: readonly LabelledAmount[]): readonly TotalCandidate[] => {
    const amounts = withFractions(printed);
    const places = new Map<number, LabelledAmount[]>();
    for (const place of amounts) {
      const { value } = place.amount;
      const found = places.get(value);
      if (found) found.push(place);
      else if (value > 0) places.set(value, [place]);
    }
    const paid = paidSums(amounts);
    const sums = partSums(amounts);
    const beforeDeposit = depositSums(amounts);
    const taxed = taxedTotals(amounts);
    return [...places]
      .flatMap(([value, found]) => {
        const [at] = found.toSorted((a, b) => weightOf(b) - weightOf(a));
        const byItself = found.every(({ role }) => role === 'paid');
        const support = {
          paid: !byItself && paid.has(cents(value)),
          sum: sums.has(cents(value)) || beforeDeposit.has(cents(value)) || taxed.has(cents(value)),
          taxed: taxed.has(cents(value)),
        };
        if (!at || (weightOf(at) <= labelled && !support.paid && !support.sum)) return [];
        const lines = new Set(found.map(({ line }) => line)).size;
        const score =
          weightOf(at) +
          (beforeDeposit.has(cents(value)) ? 0.7 : 0) +
          (support.paid ? 0.3 : 0) +
          (support.sum ? 0.2 : 0) +
          (support.taxed && weightOf(at) < weights.total ? 0.35 : 0) +
          0.05 * Math.min(lines - 1, 3);
        return { value, at, score, lines, ...support };
      })
      .reverse()
      .sort((a, b) => b.score - a.score);
  },
);

/** Whether an amount is labelled as a total, or net and tax confirm one. */
export function asksForMoney(printed: readonly LabelledAmount[]): boolean {
  return rankTotals(printed).some(
    ({ at: { role, amount }, taxed }) =>
      taxed || ((role === 'total' || role === 'payable') && amount.decimals >= 2),
  );
}

/** If a document prints decimals, whole numbers are counts. */
function withFractions(amounts: readonly LabelledAmount[]): readonly LabelledAmount[] {
  const exact = amounts.filter(({ amount }) => amount.decimals >= 2 || amount.marked);
  return exact.length > 0 ? exact : amounts;
}

function weightOf({ role, inTaxSummary }: LabelledAmount): number {
  const byRole: Partial<Record<AmountRole, number>> = weights;
  return ((role && byRole[role]) ?? 0) - (inTaxSummary ? inSummary : 0);
}

function paidSums(amounts: readonly LabelledAmount[]): ReadonlySet<number> {
  const change = valuesOf(amounts, 'change');
  const given = change.length > 0 ? change : [0];
  return new Set(valuesOf(amounts, 'paid').flatMap((sum) => given.map((back) => sum - back)));
}

function taxedTotals(amounts: readonly LabelledAmount[]): ReadonlySet<number> {
  return new Set(
    findTaxedSums(amounts).map((sums) =>
      sums.reduce(
        (total, { net, tax }) => total + cents(net.amount.value) + cents(tax.amount.value),
        0,
      ),
    ),
  );
}

/** The amount still due plus the deposit is the total. */
function depositSums(amounts: readonly LabelledAmount[]): ReadonlySet<number> {
  const deposits = valuesOf(amounts, 'prepaid').filter((deposit) => deposit > 0);
  return new Set(
    valuesOf(amounts, 'payable').flatMap((left) => deposits.map((deposit) => left + deposit)),
  );
}

/** There may be one subtotal per tax rate. Rounding is printed with or without its sign. */
function partSums(amounts: readonly LabelledAmount[]): ReadonlySet<number> {
  const subtotals = valuesOf(amounts, 'subtotal', 'total');
  const roundings = valuesOf(amounts, 'rounding').flatMap((rounding) => [rounding, -rounding]);
  const services = valuesOf(amounts, 'service');
  const sums = new Set(
    subtotals.flatMap((one, i) => subtotals.slice(i + 1).map((two) => one + two)),
  );
  for (const tax of [
    0,
    ...valuesOf(amounts, 'tax'),
    ...partsByRate(amounts, 'tax').map((parts) => cents(addUp(parts))),
  ]) {
    for (const service of [0, ...services]) {
      for (const rounding of [0, ...roundings]) {
        const added = tax + service + rounding;
        if (added !== 0) for (const subtotal of subtotals) sums.add(subtotal + added);
      }
    }
  }
  return sums;
}

const partsAtMost = 12;

/**
 * Distinct absolute values, in cents. Limited because a crafted document could contain any number
 * of them.
 */
function valuesOf(amounts: readonly LabelledAmount[], ...roles: AmountRole[]): number[] {
  const values = amounts.flatMap(({ role, amount }) =>
    role && roles.includes(role) ? [Math.abs(cents(amount.value))] : [],
  );
  return [...new Set(values)].slice(-partsAtMost);
}

function cents(value: number): number {
  return Math.round(value * 100);
}
