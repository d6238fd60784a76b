import type { Field, ValueKind } from '../../domain/schema/field.ts';
import { findForm } from '../../domain/schema/pattern/index.ts';
import { type AmountMatch, findAmounts } from '../values/amount.ts';
import { parseCurrency } from '../values/currency.ts';
import { findDates, isAmbiguous, resolveDate } from '../values/date.ts';
import { findIbans } from '../values/iban.ts';
import { findVatIds } from '../values/vat-id.ts';
import type { LayoutReading } from './layout-reading.ts';
import type { Span } from './line.ts';

export interface PrintedValue extends Span {
  value: string | number;
  /** Has more than one possible reading. */
  unsure?: boolean;
}

type Read = (text: string, field: Field, reading: LayoutReading) => PrintedValue | undefined;

const readers = {
  text: (text, { pattern }) => (pattern === undefined ? firstCell(text) : findForm(text, pattern)),
  date: (text, _, { dateOrder }) => {
    const [match] = findDates(text);
    const value = match && (resolveDate(match, dateOrder) ?? match.readings['day-first']);
    return match && value
      ? { ...spanOf(match), value, unsure: isAmbiguous(match) && !dateOrder }
      : undefined;
  },
  amount: (text, _, { decimal }) => numbersIn(text, decimal).find(({ percent }) => !percent),
  number: (text, _, { decimal }) => numbersIn(text, decimal)[0],
  currency: (text) =>
    [...text.matchAll(/\p{L}*\p{Sc}|\p{L}{2,4}(?!\p{L})/gu)].flatMap(({ 0: printed, index }) => {
      const value = parseCurrency(printed);
      return value ? [{ value, start: index, end: index + printed.length }] : [];
    })[0],
  iban: (text) => findIbans(text)[0],
  vat_id: (text) => findVatIds(text)[0],
} satisfies Record<ValueKind, Read>;

/** The first value of the field's kind in the text at its label. */
export function printedValueIn(
  text: string,
  field: Field,
  reading: LayoutReading,
): PrintedValue | undefined {
  return field.kind === 'lines' || field.kind === 'summary'
    ? undefined
    : readers[field.kind](text, field, reading);
}

/** The label may continue ("holder name:"). Its value ends at a gap as wide as between columns. */
const cell = /^(?:\s[\p{L}\s./'’-]{0,25}:|[^\p{L}\p{N}]*)\s*(?<value>[\p{L}\p{N}(+]\S*(?:\s\S+)*)/u;

function firstCell(text: string): PrintedValue | undefined {
  const { groups, 0: whole } = cell.exec(text) ?? { 0: '' };
  const value = groups?.value?.trimEnd();
  const start = whole.length - (groups?.value?.length ?? 0);
  return value ? { value, start, end: start + value.length } : undefined;
}

function numbersIn(text: string, decimal: LayoutReading['decimal']): AmountMatch[] {
  const dates = findDates(text);
  return findAmounts(text, decimal).filter(
    ({ start, end }) => !dates.some((date) => date.start < end && date.end > start),
  );
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}
