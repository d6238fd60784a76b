import type { AmountRole } from '../../../domain/layout/amount-role.ts';
import type { LabelledAmount } from '../../../domain/layout/labelled-amount.ts';
import { evidenceOf } from '../../../domain/layout/line.ts';
import type { Reading } from '../../../domain/layout/reading.ts';
import { rankTotals } from '../../../domain/layout/totals.ts';
import type { Found } from './found.ts';

const cent = 0.005;

export function findTotal({ amounts }: Reading): Found | undefined {
  const [best] = rankTotals(amounts);
  return best && found(best.at, Math.min(1, best.score));
}

export function findSubtotal(reading: Reading): Found | undefined {
  return findPart(reading, 'subtotal', ({ subtotal }) => subtotal);
}

export function findVatAmount(reading: Reading): Found | undefined {
  return findPart(reading, 'tax', ({ tax }) => tax);
}

interface Split {
  subtotal: LabelledAmount;
  tax: LabelledAmount;
}

/** Subtotal and tax are surest where they add up to the total; else the label alone must do. */
function findPart({ amounts }: Reading, role: AmountRole, pick: (split: Split) => LabelledAmount): Found | undefined {
  const [total] = rankTotals(amounts);
  const split = total && splitOf(amounts, total.value);
  if (split) return found(pick(split), 0.9);
  const labelled = amounts.find((amount) => amount.role === role && amount.amount.decimals >= 2);
  return labelled && found(labelled, 0.5);
}

function splitOf(amounts: readonly LabelledAmount[], total: number): Split | undefined {
  const subtotals = amounts.filter(({ role }) => role === 'subtotal' || role === 'total');
  const taxes = amounts.filter(({ role }) => role === 'tax');
  const labelled = pairOf(subtotals, taxes, total);
  return labelled ?? pairInLine(amounts, total);
}

function pairOf(
  subtotals: readonly LabelledAmount[],
  taxes: readonly LabelledAmount[],
  total: number,
): Split | undefined {
  for (const subtotal of subtotals) {
    const tax = taxes.find(({ amount }) => Math.abs(subtotal.amount.value + amount.value - total) < cent);
    if (tax && tax !== subtotal) return { subtotal, tax };
  }
  return undefined;
}

/** A tax table gives base and tax side by side. */
function pairInLine(amounts: readonly LabelledAmount[], total: number): Split | undefined {
  for (const [i, tax] of amounts.entries()) {
    const subtotal = amounts[i - 1];
    if (subtotal?.line !== tax.line || tax.amount.value >= subtotal.amount.value) continue;
    if (Math.abs(subtotal.amount.value + tax.amount.value - total) < cent) return { subtotal, tax };
  }
  return undefined;
}

function found({ amount, line }: LabelledAmount, score: number): Found {
  return { value: amount.value, evidence: evidenceOf(line, amount), score };
}
