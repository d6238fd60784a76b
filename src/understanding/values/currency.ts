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
  EURO: 'EUR',
  Euro: 'EUR',
  euro: 'EUR',
  zł: 'PLN',
  zl: 'PLN',
  Kč: 'CZK',
  Kc: 'CZK',
  Ft: 'HUF',
  Fr: 'CHF',
  SFr: 'CHF',
  Rp: 'IDR',
};

/** Several countries have a krone or krona. The country decides which one is meant. */
const crowns: Readonly<Record<string, string>> = { SE: 'SEK', NO: 'NOK', DK: 'DKK', IS: 'ISK' };
const crownMarks = ['kr', 'Kr', 'KR'];

let known: ReadonlySet<string> | undefined;

/** Whether the code is one of ISO 4217. */
export function isCurrency(code: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return known.has(code);
}

/** The ISO 4217 code of a symbol or code as printed. */
export function parseCurrency(printed: string): string | undefined {
  return (
    symbols[printed] ??
    symbols[printed.toUpperCase()] ??
    (isCurrency(printed) ? printed : undefined)
  );
}

/** Whether the symbol stands for a currency, even if it does not identify which one. */
export function isCurrencyMark(printed: string): boolean {
  return crownMarks.includes(printed) || parseCurrency(printed) !== undefined;
}

export function parseCrown(printed: string, country: string | undefined): string | undefined {
  return country && crownMarks.includes(printed) ? crowns[country] : undefined;
}

/** Whether a printed symbol can stand for the currency. */
export function mayMean(printed: string, code: string): boolean {
  const isCrown = crownMarks.includes(printed) && Object.values(crowns).includes(code);
  return isCrown || parseCurrency(printed) === code;
}

const escaped = [...Object.keys(symbols), ...crownMarks]
  .sort((a, b) => b.length - a.length)
  .map((symbol) => symbol.replace(/\$/g, '\\$&'));

/** A symbol, or three capitals that may be a code, before or after an amount. */
export const currencyPattern = `(?:(?<!\\p{L})(?:${escaped.join('|')}|[A-Z]{3})(?!\\p{L}))`;
