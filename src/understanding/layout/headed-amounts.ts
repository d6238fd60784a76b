import type { AmountMatch } from '../values/amount.ts';
import { type AmountRole, findAmountRole } from './amount-role.ts';
import { phrasesFor } from './labels.ts';
import { type Cell, type Line, sharesColumn, splitCells, toEvidence } from './line.ts';
import { findPhrase } from './phrase.ts';

interface Heading {
  role: AmountRole;
  label: string;
}

const sums: ReadonlySet<AmountRole> = new Set(['subtotal', 'tax', 'total', 'payable']);
const reach = 4;

/**
 * Sums printed as a small table: labels side by side ("Total HT, Total TVA, Total TTC") with the
 * amounts below.
 */
export function headedAmounts(
  lines: readonly Line[],
  money: readonly AmountMatch[][],
): Map<AmountMatch, Heading> {
  const headed = new Map<AmountMatch, Heading>();
  for (const [i, line] of lines.entries()) {
    const headings = money[i]?.length === 0 ? headingsIn(line) : [];
    for (let below = i + 1; headings.length > 0 && below <= i + reach; below++) {
      for (const amount of money[below] ?? []) {
        const heading = headings.find(({ cell }) => standsUnder(lines[below], amount, cell));
        if (heading) headed.set(amount, heading);
      }
    }
  }
  return headed;
}

/** Headings of sums, not of a table of items. */
function headingsIn(line: Line): (Heading & { cell: Cell })[] {
  if (headsItems(line)) return [];
  const headings = splitCells(line).flatMap((cell) => {
    const role = findAmountRole(cell.text);
    return role && sums.has(role) ? [{ role, label: cell.text, cell }] : [];
  });
  return new Set(headings.map(({ role }) => role)).size >= 2 ? headings : [];
}

export function headsItems({ text }: Line): boolean {
  return itemColumns.some((label) => findPhrase(text, phrasesFor(label)));
}

const itemColumns = ['description', 'columnQuantity', 'columnUnitPrice'] as const;

function standsUnder(line: Line | undefined, { start, end }: AmountMatch, heading: Cell): boolean {
  return (
    line !== undefined &&
    sharesColumn({ start, end, box: toEvidence(line, { start, end }).box }, heading)
  );
}
