export interface FoundNotation {
  value: unknown;
  /** The source text of the value. */
  text: string;
}

const DATE = /\b(\d{4})-(\d{2})-(\d{2})\b|\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b/;
const AMOUNT =
  /(?<![A-Za-z0-9])(?:-?\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,2})?|-?\d+(?:[.,]\d{1,2})?)(?![A-Za-z0-9])/;
const symbols: Record<string, string> = { '€': 'EUR', $: 'USD', '£': 'GBP' };

export function findDate(text: string): FoundNotation | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [source, year, month, day, dayFirst = '', thenMonth = '', lastYear] = match;
  const iso = year
    ? `${year}-${month}-${day}`
    : `${lastYear}-${thenMonth.padStart(2, '0')}-${dayFirst.padStart(2, '0')}`;
  return { value: iso, text: source };
}

/** The last separator before one or two digits is the decimal separator. */
export function findAmount(text: string): FoundNotation | undefined {
  const source = AMOUNT.exec(text)?.[0];
  if (source === undefined) return undefined;
  const [, integer = source, cents = '0'] = /^(.*)[.,](\d{1,2})$/.exec(source) ?? [];
  return { value: Number(`${integer.replace(/[.,' ]/g, '')}.${cents}`), text: source };
}

export function findCurrency(text: string): FoundNotation | undefined {
  const match = /\b(EUR|USD|GBP|CHF|SEK|DKK|PLN|JPY)\b|[€$£]/.exec(text)?.[0];
  return match === undefined ? undefined : { value: symbols[match] ?? match, text: match };
}

export function findIban(text: string): FoundNotation | undefined {
  const match = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/.exec(text)?.[0];
  return match === undefined ? undefined : { value: match.replaceAll(' ', ''), text: match };
}

export function findVatId(text: string): FoundNotation | undefined {
  const match =
    /\b(?:ATU|BE|CHE|DE|DK|ES|FR|GB|IE|IT|NL|PL|SE)[A-Z0-9]?\d{7,11}[A-Z0-9]{0,3}\b/.exec(
      text,
    )?.[0];
  return match === undefined ? undefined : { value: match, text: match };
}
