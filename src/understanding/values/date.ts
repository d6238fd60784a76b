import { parseMonth } from './month.ts';

export type DateOrder = 'day-first' | 'month-first';

/** A date as printed. If day and month could be swapped, both readings are kept. */
export interface DateMatch {
  readings: Record<DateOrder, string | undefined>;
  start: number;
  end: number;
  text: string;
}

const time = String.raw`(?!\d)|(?=\d{1,2}:\d{2})`;
/** Readers may split the digits of a year. Years that start with 19 or 20 are recognised anyway. */
const splitYear = String.raw`(?:19 ?\d ?\d|20 ?\d ?\d|2 0\d\d|1 9\d\d)(?![\d:]|\.\d)`;
const numeric = new RegExp(
  String.raw`(?<![\d\p{L}]|\d[.,/-]|\d (?=\d\D))(\d{1,2})( ?[-/.] ?)(\d{1,2})\2(${splitYear}|\d{4}|\d{2})(?:${time})(?![-/.]\d)`,
  'gu',
);
const yearFirst = new RegExp(
  String.raw`(?<![\d\p{L}]|\d[.,/-])(\d{4})([-/.]|年)(\d{1,2})(?:\2|月)(\d{1,2})(?:${time}|(?=T))`,
  'gu',
);
const name = String.raw`(\p{L}[\p{L}\p{M}]{2,})`;
const dayName = new RegExp(
  String.raw`(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[ \-/.]{0,2}(?:of |de )?${name}(?:\.|,|'| de| del)?[ \-/.']{0,2}(\d{4}|\d{2})(?!\d|:)`,
  'giu',
);
const nameDay = new RegExp(
  String.raw`(?<!\p{L})${name}\.?[ \-]{0,2}(\d{1,2})(?:st|nd|rd|th)?,?[ \-]{1,2}(\d{4})(?!\d)`,
  'giu',
);

/** The dates in a text, from left to right. */
export function findDates(text: string): DateMatch[] {
  const found = [
    ...all(text, yearFirst, ([, year, , month, day]) => same(iso(year, month, day))),
    ...all(text, numeric, ([, first, , second, year]) => ({
      'day-first': iso(year, second, first),
      'month-first': iso(year, first, second),
    })),
    ...all(text, dayName, ([, day, month = '', year]) => same(iso(year, parseMonth(month), day))),
    ...all(text, nameDay, ([, month = '', day, year]) => same(iso(year, parseMonth(month), day))),
  ];
  let covered = 0;
  return found
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      const isFree = start >= covered;
      covered = Math.max(covered, end);
      return isFree;
    });
}

/**
 * Dates printed as eight digits without separators. A last resort, because many other numbers look
 * the same.
 */
export function findBareDates(text: string): DateMatch[] {
  return [
    ...all(
      text,
      /(?<![\d.,/-])(\d{2}) ?(\d{2}) ?((?:19|20)\d{2})(?![\d.,/-])/gu,
      ([, first, second, year]) => ({
        'day-first': iso(year, second, first),
        'month-first': iso(year, first, second),
      }),
    ),
    ...all(
      text,
      /(?<![\d.,/-])((?:19|20)\d{2})(\d{2})(\d{2})(?![\d.,/-])/gu,
      ([, year, month, day]) => same(iso(year, month, day)),
    ),
  ];
}

/**
 * The reading that fits the date order of the document. Without an order, only unambiguous dates.
 */
export function resolveDate(
  { readings }: DateMatch,
  order: DateOrder | undefined,
): string | undefined {
  const { 'day-first': dayFirst, 'month-first': monthFirst } = readings;
  if (!dayFirst || !monthFirst || dayFirst === monthFirst) return dayFirst ?? monthFirst;
  return order && readings[order];
}

export function isAmbiguous({
  readings: { 'day-first': dayFirst, 'month-first': monthFirst },
}: DateMatch): boolean {
  return dayFirst !== undefined && monthFirst !== undefined && dayFirst !== monthFirst;
}

/** The date in ISO 8601. Undefined if there is no such day. */
export function isoDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (
    date.getUTCFullYear() !== year ||
    date.getUTCMonth() !== month - 1 ||
    date.getUTCDate() !== day
  )
    return undefined;
  return date.toISOString().slice(0, 10);
}

type Printed = string | number | undefined;

function iso(year: Printed, month: Printed, day: Printed): string | undefined {
  const short = Number(String(year).replaceAll(' ', ''));
  const full = short < 70 ? 2000 + short : short < 100 ? 1900 + short : short;
  return month === undefined ? undefined : isoDate(full, Number(month), Number(day));
}

function same(date: string | undefined): DateMatch['readings'] {
  return { 'day-first': date, 'month-first': date };
}

function all(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => DateMatch['readings'],
): DateMatch[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const readings = read(match);
    const { 0: printed, index } = match;
    if (!readings['day-first'] && !readings['month-first']) return [];
    return { readings, start: index, end: index + printed.length, text: printed };
  });
}
