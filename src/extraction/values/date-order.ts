import type { DateMatch, DateOrder } from './date.ts';

const orderByCurrency: Readonly<Record<string, DateOrder | 'either'>> = {
  USD: 'month-first',
  PHP: 'month-first',
  CAD: 'either',
};

interface DateContext {
  currency?: string | undefined;
  language?: string | undefined;
  /** Names of taxes tell where a document comes from: a sales tax is American, GST and VAT are not. */
  text?: string;
}

/**
 * Whether a document writes the day or the month first: dates that read only one way decide, then its currency, then
 * its language, then its taxes. English alone says nothing.
 */
export function detectDateOrder(
  dates: readonly DateMatch[],
  { currency, language, text = '' }: DateContext,
): DateOrder | undefined {
  const orders = new Set(
    dates.flatMap(({ readings }) => (onlyOrder(readings) ? [onlyOrder(readings)] : [])),
  );
  if (orders.size > 1) return undefined;
  const [decided] = orders;
  if (decided) return decided;
  const byCurrency = currency && (orderByCurrency[currency] ?? 'day-first');
  if (byCurrency) return byCurrency === 'either' ? undefined : byCurrency;
  if (language && language !== 'en') return 'day-first';
  if (/\bsales tax\b/i.test(text)) return 'month-first';
  return /\b(?:gst|vat|sst)\b/i.test(text) ? 'day-first' : undefined;
}

function onlyOrder(readings: DateMatch['readings']): DateOrder | undefined {
  const { 'day-first': dayFirst, 'month-first': monthFirst } = readings;
  if (dayFirst && !monthFirst) return 'day-first';
  return monthFirst && !dayFirst ? 'month-first' : undefined;
}
