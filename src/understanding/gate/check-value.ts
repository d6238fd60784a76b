import type { Field, FieldKind } from '../../domain/schema/field.ts';
import { hasForm } from '../../domain/schema/pattern/index.ts';
import { isCurrency } from '../values/currency.ts';
import { isoDate } from '../values/date.ts';
import { isIban } from '../values/iban.ts';
import { judgeVatId } from '../values/vat-id.ts';

type Check = (value: unknown, field: Checked, now: Date) => string | undefined;
type Checked = Pick<Field, 'kind' | 'pattern' | 'anyTime'>;

const checks: Readonly<Partial<Record<FieldKind, Check>>> = {
  text: (value, { pattern }) =>
    pattern === undefined || hasForm(String(value), pattern)
      ? undefined
      : 'does not match the pattern of the field',
  date: (value, { anyTime }, now) => {
    const [, year, month, day] = String(value).match(/^(\d{4})-(\d{2})-(\d{2})$/) ?? [];
    if (year === undefined || !isoDate(Number(year), Number(month), Number(day)))
      return 'is not a valid date';
    if (anyTime) return undefined;
    if (Number(year) < 1970) return 'is before 1970';
    const inAYear = new Date(now);
    inAYear.setUTCFullYear(now.getUTCFullYear() + 1);
    return String(value) > inAYear.toISOString().slice(0, 10)
      ? 'is more than a year in the future'
      : undefined;
  },
  amount: isNumber,
  number: isNumber,
  currency: (value) => (isCurrency(String(value)) ? undefined : 'is not a known currency code'),
  iban: (value) =>
    isIban(String(value)) ? undefined : 'is not a valid IBAN (wrong length or check digits)',
  vat_id: (value) =>
    judgeVatId(String(value)) === 'wrong'
      ? 'is not a valid VAT ID (wrong format or check digit)'
      : undefined,
};

/** Describes what is wrong with a value on its own, without looking at the document. */
export function checkValue(value: unknown, field: Checked, now: Date): string | undefined {
  return checks[field.kind]?.(value, field, now);
}

function isNumber(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? undefined : 'is not a number';
}
