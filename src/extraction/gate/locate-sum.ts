import { confidenceOf, evidenceOf } from '../layout/line.ts';
import type { Reading } from '../layout/reading.ts';
import { partsByRate, sumOf } from '../layout/taxed-sums.ts';
import type { Place } from './place.ts';

const roles: Readonly<Record<string, 'subtotal' | 'tax'>> = {
  subtotal: 'subtotal',
  vat_amount: 'tax',
};
const cent = 0.005;

/** A document with several rates of tax may print each sum and leave adding them up to its reader. */
export function locateSum(name: string, value: unknown, { amounts }: Reading): Place[] {
  const role = roles[name];
  const parts =
    role && partsByRate(amounts, role).find((all) => Math.abs(sumOf(all) - Number(value)) < cent);
  const [first] = parts ?? [];
  if (!parts || !first) return [];
  return [
    {
      evidence: {
        ...evidenceOf(first.line, first.amount),
        text: parts.map(({ amount }) => amount.text).join('\n'),
      },
      confidence: Math.min(...parts.map(({ line, amount }) => confidenceOf(line, amount))),
    },
  ];
}
