import { memoizeBy } from '../../lib/memoize-by.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import type { Line } from '../layout/line.ts';
import { type AmountMatch, findAmounts } from '../values/amount.ts';

interface PrintedNumber {
  line: Line;
  amount: AmountMatch;
  /** Position in the document. */
  index: number;
}

/** The numbers of a document by value, because the gate looks up every cell of a table. */
export const printedNumbers = memoizeBy(({ lines, decimal }: LayoutReading) => {
  const byCents = new Map<number, PrintedNumber[]>();
  let index = 0;
  for (const line of lines) {
    for (const amount of findAmounts(line.text, decimal)) {
      const number = { line, amount, index: index++ };
      const others = byCents.get(toCents(amount.value));
      if (others) others.push(number);
      else byCents.set(toCents(amount.value), [number]);
    }
  }
  return {
    /** Numbers that differ by at most a cent, in the order of the document. */
    near(value: number): readonly PrintedNumber[] {
      const cents = toCents(value);
      const groups = [cents - 1, cents, cents + 1].flatMap((key) => {
        const group = byCents.get(key);
        return group ? [group] : [];
      });
      const [only = []] = groups;
      return groups.length <= 1 ? only : groups.flat().sort((a, b) => a.index - b.index);
    },
  };
});

function toCents(value: number): number {
  return Math.round(value * 100);
}
