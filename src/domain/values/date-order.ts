import type { DateMatch, DateOrder } from './date.ts';

const orderByCurrency: Readonly<Record<string, DateOrder>> = { USD: 'month-first', PHP: 'month-first' };

/**
 * Whether a document writes the day or the month first: dates that read only one way decide, then its currency, then its
 * language. English alone says nothing.
 */
export function dateOrderOf(
  dates: readonly DateMatch[],
  { currency, language }: { currency?: string | undefined; language?: string | undefined },
): DateOrder | undefined {
  const orders = new Set(dates.flatMap(({ readings }) => (onlyOrder(readings) ? [onlyOrder(readings)] : [])));
  if (orders.size > 1) return undefined;
  const [decided] = orders;
  if (decided) return decided;
  if (currency) return orderByCurrency[currency] ?? 'day-first';
  return language && language !== 'en' ? 'day-first' : undefined;
}

function onlyOrder(readings: DateMatch['readings']): DateOrder | undefined {
  const { 'day-first': dayFirst, 'month-first': monthFirst } = readings;
  if (dayFirst && !monthFirst) return 'day-first';
  return monthFirst && !dayFirst ? 'month-first' : undefined;
}
