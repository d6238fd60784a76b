import type { LayoutReading } from '../layout/layout-reading.ts';
import { averageConfidence, toEvidence } from '../layout/line.ts';
import { addUp, partsByRate } from '../layout/taxed-sums.ts';
import { joinLocations, type ValueLocation } from './value-location.ts';

const roles: Readonly<Record<string, 'subtotal' | 'tax'>> = {
  subtotal: 'subtotal',
  vat_amount: 'tax',
};
const cent = 0.005;

/** A document with several tax rates may print the amounts per rate without their sum. */
export function locateSum(
  name: string,
  value: unknown,
  { amounts }: LayoutReading,
): ValueLocation[] {
  const role = roles[name];
  const parts =
    role && partsByRate(amounts, role).find((all) => Math.abs(addUp(all) - Number(value)) < cent);
  const sum = joinLocations(
    (parts ?? []).map(({ line, amount }) => ({
      evidence: { ...toEvidence(line, amount), text: amount.text },
      confidence: averageConfidence(line, amount),
    })),
  );
  return sum ? [sum] : [];
}
