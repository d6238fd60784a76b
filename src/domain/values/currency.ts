const symbols: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  $: 'USD',
  US$: 'USD',
  A$: 'AUD',
  C$: 'CAD',
  S$: 'SGD',
  HK$: 'HKD',
  R$: 'BRL',
  RM: 'MYR',
  '¥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
  '₺': 'TRY',
  '₽': 'RUB',
  '₫': 'VND',
  '₱': 'PHP',
  '฿': 'THB',
  zł: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  Fr: 'CHF',
  SFr: 'CHF',
  Rp: 'IDR',
};

let known: ReadonlySet<string> | undefined;

/** Whether the code is one of ISO 4217. */
export function isCurrency(code: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return known.has(code);
}

/** The ISO 4217 code of a symbol or code as printed. */
export function currencyOf(printed: string): string | undefined {
  return symbols[printed] ?? symbols[printed.toUpperCase()] ?? (isCurrency(printed) ? printed : undefined);
}

const escaped = Object.keys(symbols)
  .sort((a, b) => b.length - a.length)
  .map((symbol) => symbol.replace(/\$/g, '\\$&'));

/** A symbol or three capitals that may be a code, as it stands before or after an amount. */
export const currencyPattern = `(?:(?<!\\p{L})(?:${escaped.join('|')}|[A-Z]{3})(?!\\p{L}))`;
