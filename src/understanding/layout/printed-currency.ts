import { currencyPattern, parseCrown, parseCurrency } from '../values/currency.ts';
import { findIbans } from '../values/iban.ts';
import { findVatIds } from '../values/vat-id.ts';
import type { Line, Span } from './line.ts';

export interface PrintedCurrency {
  code: string;
  line: Line;
  span: Span;
}

/** Currency marks that also have other meanings count only next to a number. */
const besideNumber = new RegExp(
  `${currencyPattern}(?=[ .]?[-−]?[.\\d])|(?<=\\d ?)${currencyPattern}`,
  'gu',
);
const alone =
  /[€£₹₺₩]|(?<!\p{L})(?:RM|EUR|EURO|Euro|USD|GBP|CHF|MYR|SGD|PLN|SEK|NOK|DKK|CZK|HUF)(?!\p{L})/gu;

/** The most frequent currency, at its first occurrence. */
export function findPrintedCurrency(
  lines: readonly Line[],
  language: string | undefined,
): PrintedCurrency | undefined {
  const country = countryOf(lines) ?? (language && countries[language]);
  const found = lines.flatMap((line) =>
    [besideNumber, alone].flatMap((pattern) =>
      [...line.text.matchAll(pattern)].flatMap(({ 0: printed, index }) => {
        const code = parseCurrency(printed) ?? parseCrown(printed, country);
        return code ? { code, line, span: { start: index, end: index + printed.length } } : [];
      }),
    ),
  );
  const counts = new Map<string, number>();
  for (const { code } of found) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return found.find(({ code }) => code === most?.[0]);
}

const countries: Readonly<Record<string, string>> = { sv: 'SE', nb: 'NO', da: 'DK' };

/** The country of the bank account, or else of the tax ID. */
function countryOf(lines: readonly Line[]): string | undefined {
  const firstOf = (find: (text: string) => { value: string }[]) =>
    lines.flatMap(({ text }) => find(text))[0]?.value.slice(0, 2);
  return firstOf(findIbans) ?? firstOf(findVatIds);
}
