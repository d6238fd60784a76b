import { z } from 'zod';
import type { FieldKind } from '../../domain/schema/field.ts';

type ValueKind = Exclude<FieldKind, 'lines'>;

interface Kind {
  type: 'string' | 'number';
  /** Format description sent to the model. */
  format: string;
  /** Accepts only valid values of the kind. */
  value: z.ZodType;
}

/** More than any printed amount, but small enough that numbers keep their cents. */
const ABSURD = 1e12;

const code = (pattern: RegExp) =>
  z
    .string()
    .transform((text) => text.replace(/[\s.-]/g, '').toUpperCase())
    .pipe(z.string().regex(pattern));

const kinds = {
  text: { type: 'string', format: 'as written', value: z.string().trim().min(1).max(10_000) },
  summary: {
    type: 'string',
    format: 'in your own words',
    value: z.string().trim().min(1).max(2_000),
  },
  date: { type: 'string', format: 'YYYY-MM-DD', value: z.iso.date() },
  amount: {
    type: 'number',
    format: 'a number without currency or separators',
    value: z.number().gt(-ABSURD).lt(ABSURD),
  },
  number: {
    type: 'number',
    format: 'a number without unit or separators',
    value: z.number().gt(-ABSURD).lt(ABSURD),
  },
  currency: { type: 'string', format: 'ISO 4217 code', value: code(/^[A-Z]{3}$/) },
  iban: { type: 'string', format: 'without spaces', value: code(/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/) },
  vat_id: {
    type: 'string',
    format: 'with its country prefix, without spaces',
    value: code(/^[A-Z0-9+*]{4,20}$/),
  },
} as const satisfies Record<ValueKind, Kind>;

/** Rows of `lines` cannot be nested, so such a column is text. */
export function describeFieldKind(kind: FieldKind): Kind {
  return kinds[kind === 'lines' ? 'text' : kind];
}
