import { currencyOf, currencyPattern } from '../values/currency.ts';
import type { Line, Span } from './line.ts';

export interface PrintedCurrency {
  code: string;
  line: Line;
  span: Span;
}

/** Currency words that are also ordinary words or codes of other things count only beside a number. */
const besideNumber = new RegExp(`${currencyPattern}(?=[ .]?[-−]?[.\\d])|(?<=\\d ?)${currencyPattern}`, 'gu');
const alone = /[€£₹₺₩]|(?<!\p{L})(?:RM|EUR|USD|GBP|CHF|MYR|SGD)(?!\p{L})/gu;

/** The currency printed most often, where it is first printed. */
export function printedCurrencyOf(lines: readonly Line[]): PrintedCurrency | undefined {
  const found = lines.flatMap((line) =>
    [besideNumber, alone].flatMap((pattern) =>
      [...line.text.matchAll(pattern)].flatMap(({ 0: printed, index }) => {
        const code = currencyOf(printed);
        return code ? { code, line, span: { start: index, end: index + printed.length } } : [];
      }),
    ),
  );
  const counts = new Map<string, number>();
  for (const { code } of found) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return found.find(({ code }) => code === most?.[0]);
}
