import type { DateMatch, DateOrder } from './date.ts';

const orderByCurrency: Readonly<Record<string, DateOrder | 'either'>> = {
  USD: 'month-first',
  PHP: 'month-first',
  CAD: 'either',
};

interface DateContext {
  currency?: string | undefined;
  language?: string | undefined;
  /** Tax names reveal the origin of a document: sales tax is American, GST and VAT are not. */
  text?: string;
}

/**
 * Detects whether a document writes the day or the month first. Unambiguous dates decide, then the
 * currency, then the language, then the tax names. English alone does not decide.
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
