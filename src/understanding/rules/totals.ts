import type { LabelledAmount } from '../layout/labelled-amount.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { toEvidence } from '../layout/line.ts';
import { addUp, findTaxedSums, partsByRate } from '../layout/taxed-sums.ts';
import { rankTotals } from '../layout/totals.ts';
import type { Found } from './found.ts';

const cent = 0.005;

export function findTotal({ amounts }: LayoutReading): Found | undefined {
  const [best] = rankTotals(amounts);
  return best && found([best.at], Math.min(1, best.score));
}

export function findSubtotal(reading: LayoutReading): Found | undefined {
  return findPart(reading, 'subtotal');
}

export function findVatAmount(reading: LayoutReading): Found | undefined {
  return findPart(reading, 'tax');
}

/** One amount, or the amounts of several tax rates that add up to it. */
type Part = readonly LabelledAmount[];

interface Split {
  subtotal: Part;
  tax: Part;
}

/** Subtotal and tax are most certain if they add up to the total. Otherwise the label decides. */
function findPart({ amounts }: LayoutReading, role: keyof Split): Found | undefined {
  const [total] = rankTotals(amounts);
  const split = total && splitOf(amounts, total.value);
  if (split) return found(split[role], 0.9);
  const labelled = amounts.find((amount) => amount.role === role && amount.amount.decimals >= 2);
  return labelled && found([labelled], 0.5);
}

function splitOf(amounts: readonly LabelledAmount[], total: number): Split | undefined {
  const alone = amounts.map((amount) => [amount]);
  const subtotals = alone.filter(([{ role } = {}]) => role === 'subtotal' || role === 'total');
  const taxes = alone.filter(([{ role } = {}]) => role === 'tax');
  const [netsByRate, taxesByRate] = [partsByRate(amounts, 'subtotal'), partsByRate(amounts, 'tax')];
  return (
    pairOf(subtotals, taxes, total) ??
    pairInLine(amounts, total) ??
    pairOf([...subtotals, ...alone, ...netsByRate], taxesByRate, total) ??
    pairOf(alone, taxes, total) ??
    provenSplit(amounts, total)
  );
}

function provenSplit(amounts: readonly LabelledAmount[], total: number): Split | undefined {
  const splits = findTaxedSums(amounts).map((sums) => ({
    subtotal: sums.map(({ net }) => net),
    tax: sums.map(({ tax }) => tax),
  }));
  return splits.find(({ subtotal, tax }) => Math.abs(addUp(subtotal) + addUp(tax) - total) < cent);
}

function pairOf(
  subtotals: readonly Part[],
  taxes: readonly Part[],
  total: number,
): Split | undefined {
  const byCents = indexByCents(taxes);
  for (const subtotal of subtotals) {
    const net = addUp(subtotal);
    const near = toCents(total - net);
    const [tax] = [near - 1, near, near + 1]
      .flatMap((cents) => byCents.get(cents) ?? [])
      .filter(({ sum }) => Math.abs(net + sum - total) < cent)
      .sort((a, b) => a.index - b.index);
    if (tax && tax.part[0] !== subtotal[0]) return { subtotal, tax: tax.part };
  }
  return undefined;
}

/** The first part of each sum: a document may print thousands of amounts. */
function indexByCents(
  parts: readonly Part[],
): Map<number, { part: Part; sum: number; index: number }> {
  const byCents = new Map<number, { part: Part; sum: number; index: number }>();
  for (const [index, part] of parts.entries()) {
    const sum = addUp(part);
    if (!byCents.has(toCents(sum))) byCents.set(toCents(sum), { part, sum, index });
  }
  return byCents;
}

function toCents(value: number): number {
  return Math.round(value * 100);
}

/** A tax table prints net and tax on the same line. */
function pairInLine(amounts: readonly LabelledAmount[], total: number): Split | undefined {
  for (const [i, tax] of amounts.entries()) {
    const subtotal = amounts[i - 1];
    if (subtotal?.line !== tax.line || tax.amount.value >= subtotal.amount.value) continue;
    if (Math.abs(subtotal.amount.value + tax.amount.value - total) < cent)
      return { subtotal: [subtotal], tax: [tax] };
  }
  return undefined;
}

function found(part: Part, score: number): Found | undefined {
  const [first, ...more] = part;
  if (!first) return undefined;
  const evidence = toEvidence(first.line, first.amount);
  const text = [evidence.text, ...more.map(({ amount }) => amount.text)].join('\n');
  return { value: addUp(part), evidence: { ...evidence, text }, score };
}
