import { says } from '../layout/labels.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { findAmounts } from '../values/amount.ts';

const partsAtMost = 8;
const cent = 0.005;

/**
 * Whether printed surcharges and discounts explain the difference between the sum of the lines and
 * the printed net sum.
 */
export function isBridged(
  sum: number,
  net: number,
  { lines, amounts, decimal }: LayoutReading,
): boolean {
  // A net sum that was computed rather than printed proves nothing.
  if (!amounts.some(({ amount }) => Math.abs(amount.value - net) < cent)) return false;
  const parts = lines.flatMap(({ text }): number[] => {
    const amount = findAmounts(text, decimal).findLast(
      ({ percent, decimals }) => !percent && decimals >= 2,
    );
    if (!amount || amount.value === 0) return [];
    if (says(text, 'surcharge')) return [Math.abs(amount.value)];
    return says(text, 'discount') ? [-Math.abs(amount.value)] : [];
  });
  return reaches(net - sum, [...new Set(parts)].slice(0, partsAtMost));
}

/** Whether some subset of the parts adds up to the difference. */
function reaches(difference: number, [part, ...rest]: readonly number[]): boolean {
  if (part === undefined) return Math.abs(difference) < cent;
  return reaches(difference, rest) || reaches(difference - part, rest);
}
