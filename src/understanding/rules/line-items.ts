import { findAmountRole } from '../layout/amount-role.ts';
import { says } from '../layout/labels.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { type Cell, type Line, splitCells, toEvidence } from '../layout/line.ts';
import { findAmounts } from '../values/amount.ts';
import type { Found } from './found.ts';
import { type ColumnName, findColumns, placeCells } from './table-columns.ts';

type Item = Record<ColumnName, string | number | null>;

/** The table of goods and services, from its header to the first line of the totals. */
export function findLineItems({ lines, decimal }: LayoutReading): Found | undefined {
  const header = lines.findIndex((line) => findColumns(line) !== undefined);
  const columns = header < 0 ? undefined : findColumns(lines[header]);
  if (!columns) return undefined;
  const items: Item[] = [];
  let first: Line | undefined;
  let fractions = 0;
  let sum = 0;
  for (const line of lines.slice(header + 1)) {
    if (endsTable(line)) break;
    const cells = placeCells(splitCells(line), columns);
    const item = itemOf(cells, decimal);
    if (item && items.length > 0 && isSum(sum, item)) break;
    const fraction = fractionOf(cells, decimal);
    if (item?.amount != null && fraction >= fractions) {
      fractions = items.length === 0 ? fraction : fractions;
      items.push(item);
      sum += Number(item.amount);
      first ??= line;
    } else {
      continueDescription(items.at(-1), line);
    }
  }
  return (
    first && {
      value: items,
      evidence: toEvidence(first, { start: 0, end: first.text.length }),
      score: 0.6,
    }
  );
}

/**
 * If amounts have decimals, a number without them is something else, such as a page or account
 * number.
 */
function fractionOf(
  cells: ReadonlyMap<ColumnName, Cell>,
  decimal: LayoutReading['decimal'],
): number {
  return Math.min(2, findAmounts(cells.get('amount')?.text ?? '', decimal)[0]?.decimals ?? 0);
}

const sums = new Set(['payable', 'total', 'subtotal', 'tax']);

function endsTable({ text }: Line): boolean {
  return sums.has(findAmountRole(text) ?? '') && /\d/.test(text);
}

/** A row whose amount is the sum of all rows above is a subtotal, whatever its label. */
function isSum(sum: number, { quantity, unit_price: price, amount }: Item): boolean {
  return quantity === null && price === null && Math.abs(sum - Number(amount)) < 0.005;
}

function itemOf(
  cells: ReadonlyMap<ColumnName, Cell>,
  decimal: LayoutReading['decimal'],
): Item | undefined {
  const description = cells.get('description')?.text;
  if (!description || !/\p{L}/u.test(description)) return undefined;
  const numberIn = (column: ColumnName) =>
    findAmounts(cells.get(column)?.text ?? '', decimal)[0]?.value ?? null;
  return {
    description,
    quantity: numberIn('quantity'),
    unit_price: numberIn('unit_price'),
    vat_rate: numberIn('vat_rate'),
    amount: numberIn('amount'),
  };
}

/** A line of words alone continues the description above it. */
function continueDescription(item: Item | undefined, { text }: Line): void {
  if (item && !/\d{2}[.,]\d{2}|:/.test(text) && !says(text, 'bank', 'contact')) {
    item.description = `${item.description}\n${text.trim()}`;
  }
}
