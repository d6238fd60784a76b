interface Country {
  /** The format, without the country prefix. */
  shape: RegExp;
  check?: (digits: string) => boolean;
}

const countries: Readonly<Record<string, Country>> = {
  AT: { shape: /^U\d{8}$/ },
  BE: {
    shape: /^[01]\d{9}$/,
    check: (id) => 97 - (Number(id.slice(0, 8)) % 97) === Number(id.slice(8)),
  },
  BG: { shape: /^\d{9,10}$/ },
  CY: { shape: /^\d{8}[A-Z]$/ },
  CZ: { shape: /^\d{8,10}$/ },
  DE: { shape: /^[1-9]\d{8}$/, check: mod11ten },
  DK: { shape: /^\d{8}$/, check: (id) => weighted(id, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0 },
  EE: { shape: /^\d{9}$/ },
  EL: { shape: /^\d{9}$/ },
  ES: { shape: /^[A-Z0-9]\d{7}[A-Z0-9]$/ },
  FI: { shape: /^\d{8}$/, check: (id) => weighted(id, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0 },
  FR: { shape: /^[A-HJ-NP-Z0-9]{2}\d{9}$/, check: french },
  GB: { shape: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/ },
  HR: { shape: /^\d{11}$/, check: mod11ten },
  HU: { shape: /^\d{8}$/ },
  IE: { shape: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/ },
  IT: { shape: /^\d{11}$/, check: luhn },
  LT: { shape: /^(?:\d{9}|\d{12})$/ },
  LU: { shape: /^\d{8}$/, check: (id) => Number(id.slice(0, 6)) % 89 === Number(id.slice(6)) },
  LV: { shape: /^\d{11}$/ },
  MT: { shape: /^\d{8}$/ },
  NL: { shape: /^\d{9}B\d{2}$/ },
  PL: {
    shape: /^\d{10}$/,
    check: (id) => weighted(id, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(id[9]),
  },
  PT: { shape: /^\d{9}$/ },
  RO: { shape: /^\d{2,10}$/ },
  SE: { shape: /^\d{10}01$/, check: (id) => luhn(id.slice(0, 10)) },
  SI: { shape: /^\d{8}$/ },
  SK: { shape: /^\d{10}$/ },
};

type VatIdVerdict = 'valid' | 'wrong' | 'unknown';

/** Checks the format and the check digits of a VAT ID. `unknown` for countries not listed here. */
export function judgeVatId(text: string): VatIdVerdict {
  const compact = compactVatId(text);
  const country = countries[compact.slice(0, 2)];
  if (!country) return 'unknown';
  const id = compact.slice(2);
  return country.shape.test(id) && (country.check?.(id) ?? true) ? 'valid' : 'wrong';
}

export function compactVatId(text: string): string {
  return text.replace(/[\s.\-/]/g, '').toUpperCase();
}

interface VatIdMatch {
  value: string;
  start: number;
  end: number;
}

const printedId = new RegExp(
  String.raw`(?<![A-Za-z0-9])(?:${Object.keys(countries).join('|')}) ?[A-Z0-9](?:[ .\-/]?[A-Z0-9+*]){5,13}(?![A-Za-z0-9])`,
  'g',
);

/**
 * Finds European VAT IDs by format. Check digits are ignored: an ID with a wrong one is still what
 * is printed.
 */
export function findVatIds(text: string): VatIdMatch[] {
  return [...text.matchAll(printedId)].flatMap(({ 0: printed, index }) => {
    const value = compactVatId(printed);
    const shape = countries[value.slice(0, 2)]?.shape;
    return shape?.test(value.slice(2)) ? { value, start: index, end: index + printed.length } : [];
  });
}

function weighted(id: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(id[i]), 0);
}

/** ISO 7064, mod 11,10. */
function mod11ten(id: string): boolean {
  let product = 10;
  for (const digit of id.slice(0, -1)) product = (((Number(digit) + product) % 10 || 10) * 2) % 11;
  return (11 - product) % 10 === Number(id.at(-1));
}

function luhn(id: string): boolean {
  const sum = [...id].reverse().reduce((total, digit, i) => {
    const doubled = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function french(id: string): boolean {
  const key = id.slice(0, 2);
  return !/^\d{2}$/.test(key) || (12 + 3 * (Number(id.slice(2)) % 97)) % 97 === Number(key);
}
