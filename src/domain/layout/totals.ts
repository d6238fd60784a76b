import type { AmountRole } from './amount-role.ts';
import type { LabelledAmount } from './labelled-amount.ts';

export interface TotalCandidate {
  value: number;
  /** Its best labelled occurrence. */
  at: LabelledAmount;
  score: number;
  /** What was handed over less the change, or what the card was charged, is this. */
  paid: boolean;
  /** Subtotal, tax, service and rounding add up to this. */
  sum: boolean;
  /** Lines it is printed in. */
  lines: number;
}

const weights: Partial<Record<AmountRole, number>> = {
  payable: 0.65,
  total: 0.5,
  subtotal: 0.3,
  paid: 0.1,
  quantity: 0.1,
};
const inSummary = 0.35;
const cent = 0.005;

/** What the total may be, best first: by label, by arithmetic, by how often it is printed. */
export function rankTotals(amounts: readonly LabelledAmount[]): TotalCandidate[] {
  const values = new Set(amounts.filter(({ amount }) => amount.value > 0).map(({ amount }) => amount.value));
  const parts = partsOf(amounts);
  return [...values]
    .flatMap((value) => candidateOf(value, amounts, parts) ?? [])
    .sort((a, b) => b.score - a.score || amounts.indexOf(b.at) - amounts.indexOf(a.at));
}

interface Parts {
  subtotals: readonly number[];
  taxes: readonly number[];
  services: readonly number[];
  roundings: readonly number[];
  paid: readonly number[];
  change: readonly number[];
}

function partsOf(amounts: readonly LabelledAmount[]): Parts {
  const of = (...roles: AmountRole[]) => [
    ...new Set(amounts.flatMap(({ role, amount }) => (role && roles.includes(role) ? [Math.abs(amount.value)] : []))),
  ];
  return {
    subtotals: of('subtotal', 'total'),
    taxes: of('tax'),
    services: of('service'),
    roundings: of('rounding'),
    paid: of('paid'),
    change: of('change'),
  };
}

function candidateOf(value: number, amounts: readonly LabelledAmount[], parts: Parts): TotalCandidate | undefined {
  const places = amounts.filter(({ amount }) => amount.value === value);
  const ranked = places.toSorted((a, b) => weightOf(b) - weightOf(a));
  const [at] = ranked;
  const paid = isPaid(value, parts);
  const sum = isSum(value, parts);
  if (!at || (weightOf(at) <= 0.1 && !paid && !sum)) return undefined;
  const lines = new Set(places.map(({ line }) => line)).size;
  const score = weightOf(at) + (paid ? 0.3 : 0) + (sum ? 0.2 : 0) + 0.05 * Math.min(lines - 1, 3);
  return { value, at, score, paid, sum, lines };
}

function weightOf({ role, inTaxSummary }: LabelledAmount): number {
  return ((role && weights[role]) ?? 0) - (inTaxSummary ? inSummary : 0);
}

function isPaid(value: number, { paid, change }: Parts): boolean {
  const given = change.length > 0 ? change : [0];
  return paid.some((sum) => given.some((back) => Math.abs(sum - back - value) < cent));
}

/** Subtotals may be one for each rate of tax. Rounding is printed with and without its sign. */
function isSum(value: number, { subtotals, taxes, services, roundings }: Parts): boolean {
  const signed = roundings.flatMap((rounding) => [rounding, -rounding]);
  if (subtotals.some((one, i) => subtotals.slice(i + 1).some((two) => Math.abs(one + two - value) < cent))) return true;
  return subtotals.some((subtotal) =>
    [0, ...taxes].some((tax) =>
      [0, ...services].some((service) =>
        [0, ...signed].some(
          (rounding) =>
            (tax !== 0 || service !== 0 || rounding !== 0) &&
            Math.abs(subtotal + tax + service + rounding - value) < cent,
        ),
      ),
    ),
  );
}
