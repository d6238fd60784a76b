import type { DocumentSchema, FieldKind } from '../schema.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/**
 * The strict JSON Schema a model is asked to answer in: every key required, what is not printed is null, nothing else
 * allowed.
 */
export function toJsonSchema({ fields }: DocumentSchema): JsonSchema {
  return strictObject({
    extraction_successful: { type: 'boolean', description: 'Whether the document could be read and is of this kind' },
    confidence: { type: 'string', enum: ['high', 'medium', 'low'] },
    missing_fields: { type: 'array', items: { type: 'string' }, description: 'Fields that are not in the document' },
    fields: strictObject(
      Object.fromEntries(
        Object.entries(fields).map(([name, { kind, description, columns = {} }]) => [
          name,
          { ...(kind === 'lines' ? tableOf(columns) : formatOf(kind)), description },
        ]),
      ),
    ),
  });
}

const formats = {
  text: { type: ['string', 'null'] },
  summary: { type: ['string', 'null'] },
  date: { type: ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  amount: { type: ['number', 'null'] },
  currency: { type: ['string', 'null'], pattern: '^[A-Z]{3}$' },
  iban: { type: ['string', 'null'] },
  vat_id: { type: ['string', 'null'] },
} satisfies Record<Exclude<FieldKind, 'lines'>, JsonSchema>;

function formatOf(kind: FieldKind): JsonSchema {
  return kind === 'lines' ? tableOf({}) : formats[kind];
}

function tableOf(columns: Readonly<Record<string, FieldKind>>): JsonSchema {
  const row = Object.fromEntries(Object.entries(columns).map(([name, kind]) => [name, formatOf(kind)]));
  return { type: ['array', 'null'], items: strictObject(row) };
}

function strictObject(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
