import { memoizeBy } from '../../lib/memoize-by.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import type { Line } from '../layout/line.ts';
import { type AmountMatch, type DecimalMark, findAmounts } from '../values/amount.ts';

interface PrintedNumber {
  line: Line;
  amount: AmountMatch;
  /** Position in the document. */
  index: number;
}

/** The numbers of a document by value, because the gate looks up every cell of a table. */
export const printedNumbers = memoizeBy(
  ({ lines, decimal }: LayoutReading) => new PrintedNumbers(lines, decimal),
);

class PrintedNumbers {
  readonly #ascending: readonly PrintedNumber[];

  constructor(lines: readonly Line[], decimal: DecimalMark | undefined) {
    this.#ascending = lines
      .flatMap((line) => findAmounts(line.text, decimal).map((amount) => ({ line, amount })))
      .map((number, index) => ({ ...number, index }))
      .sort((a, b) => a.amount.value - b.amount.value);
  }

  /** Whether a number differs from the value by less than the tolerance. */
  includes(value: number, tolerance: number): boolean {
    const closest = this.#ascending[this.#firstFrom(value, (by) => by > -tolerance)];
    return closest !== undefined && closest.amount.value - value < tolerance;
  }

  /**
   * All such numbers, in the order of the document. There can be one in every row, such as a tax
   * rate, so cells are looked up by `includes`.
   */
  near(value: number, tolerance: number): PrintedNumber[] {
    const start = this.#firstFrom(value, (by) => by > -tolerance);
    const end = this.#firstFrom(value, (by) => by >= tolerance);
    return this.#ascending.slice(start, end).sort((a, b) => a.index - b.index);
  }

  /** The position of the first number whose difference from the value is large enough. */
  #firstFrom(value: number, isLargeEnough: (by: number) => boolean): number {
    let [low, high] = [0, this.#ascending.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const number = this.#ascending[middle];
      if (number && isLargeEnough(number.amount.value - value)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
