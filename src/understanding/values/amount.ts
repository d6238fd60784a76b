import { currencyPattern, isCurrencyMark, parseCurrency } from './currency.ts';

export type DecimalMark = '.' | ',';

export interface AmountMatch {
  value: number;
  /** Digits printed after the decimal mark. */
  decimals: number;
  /** ISO 4217 code, if a symbol or code is printed next to the number. */
  currency: string | undefined;
  /** A currency symbol is printed next to the number, even if it does not identify the currency. */
  marked: boolean;
  percent: boolean;
  start: number;
  end: number;
  text: string;
}

const grouped = String.raw`\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d{1,4})?`;
const thin = String.raw`\u00a0\u202f\u2009`;
/**
 * Without a decimal part, only a currency after them distinguishes digit groups from two separate
 * numbers.
 */
const spaced = String.raw`\d{1,3}(?:[ ${thin}]\d{3})+(?:,\d{2}|(?= ?${currencyPattern}))|\d{1,3}(?:[${thin}]\d{3})+\.\d{2}`;
/** Readers may split off the decimals. At the end of a line, two digits can be nothing else. */
const torn = String.raw`\d+[.,] \d{2}(?=\s*(?:[A-Z*]{1,3}\s*)?$)`;
const plain = String.raw`\d+[.,]\d{1,4}|\d+|[.,]\d{2}`;
const number = `(?<digits>(?:${torn}|${spaced}|${grouped}|${plain})(?!\\d))`;
const amount = new RegExp(
  `(?<![\\d.,:/])(?<sign>[-−–] ?)?(?:(?<before>${currencyPattern})(?: |\\. ?(?!\\d{2}(?!\\d)))?)?(?<inner>[-−–] ?)?${number}` +
    `(?<behind>[-−](?![\\d\\p{L}]))?(?: ?(?:(?<percent>%)|(?<after>${currencyPattern})))?`,
  'gu',
);

/** The amounts in a line, from left to right. Skips dates, times and codes that contain letters. */
export function findAmounts(text: string, decimal?: DecimalMark): AmountMatch[] {
  return [...text.matchAll(amount)].flatMap(({ 0: whole, index, groups = {} }) => {
    const { digits = '', sign, before, inner, behind, percent, after } = groups;
    const last = text.slice(Math.max(0, index - 2), index);
    const next = text.slice(index + whole.length, index + whole.length + 3);
    const glued = sign && /[\p{L}\d]$/u.test(last);
    if (glued || (/[\p{L}#]$/u.test(last) && !before) || /^[:/]\d|^-[\d\p{L}]/u.test(next))
      return [];
    const { value, decimals } = parseDigits(digits, decimal);
    const [currencyBefore, currencyAfter] = [
      parseCurrency(before ?? ''),
      parseCurrency(after ?? ''),
    ];
    // Three capitals next to a number may be any word. They belong to the amount only if they are a
    // currency.
    const [markedBefore, markedAfter] = [isCurrencyMark(before ?? ''), isCurrencyMark(after ?? '')];
    const start = before && !markedBefore ? index + whole.indexOf(before) + before.length : index;
    const end = after && !markedAfter ? index + whole.length - after.length : index + whole.length;
    const shown = text.slice(start, end);
    return {
      value: (sign ?? inner ?? behind) ? -value : value,
      decimals,
      currency: currencyBefore ?? currencyAfter,
      marked: markedBefore || markedAfter,
      percent: percent !== undefined,
      start: start + shown.length - shown.trimStart().length,
      end: start + shown.trimEnd().length,
      text: shown.trim(),
    };
  });
}

/** The amount, if the text consists of exactly one. */
export function parseAmount(text: string, decimal?: DecimalMark): number | undefined {
  const [found, ...more] = findAmounts(text.trim(), decimal);
  return found && more.length === 0 && found.text.length === text.trim().length
    ? found.value
    : undefined;
}

/** The decimal mark of a document, derived from its unambiguous numbers. */
export function findDecimalMark(text: string): DecimalMark | undefined {
  const commas = text.match(/\d,\d{2}(?![\d.,])/g)?.length ?? 0;
  const points = text.match(/\d\.\d{2}(?![\d.,])/g)?.length ?? 0;
  if (commas === points) return undefined;
  return commas > points ? ',' : '.';
}

function parseDigits(
  digits: string,
  decimal: DecimalMark | undefined,
): { value: number; decimals: number } {
  const mark = decimalMarkIn(digits, decimal);
  const at = mark === undefined ? -1 : digits.lastIndexOf(mark);
  const whole = (at < 0 ? digits : digits.slice(0, at)).replace(/\D/g, '');
  const fraction = at < 0 ? '' : digits.slice(at + 1).trim();
  return { value: Number(`${whole || '0'}.${fraction || '0'}`), decimals: fraction.length };
}

function decimalMarkIn(
  digits: string,
  preferred: DecimalMark | undefined,
): DecimalMark | undefined {
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits[at];
  if (mark !== '.' && mark !== ',') return undefined;
  if (digits.indexOf(mark) !== at) return undefined;
  const other = mark === '.' ? ',' : '.';
  const groupedByThree = digits.length - at - 1 === 3 && /^\d{1,3}$/.test(digits.slice(0, at));
  if (digits.includes(other) || /['’ \u00a0\u202f\u2009]/.test(digits) || !groupedByThree)
    return mark;
  return preferred === mark ? mark : undefined;
}
