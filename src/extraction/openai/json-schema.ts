import { confidence } from '../../domain/extraction.ts';
import type { FieldKind } from '../../domain/schema/field.ts';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import type { OfferedType } from '../port.ts';
import { describeFieldKind } from './kinds.ts';

export interface JsonSchema {
  [key: string]: unknown;
}

/**
 * The expected answer of the model, in the strict subset of JSON Schema: every key required, every
 * value nullable, no other keys.
 */
export function toStrictJsonSchema({ fields }: DocumentSchema): JsonSchema {
  const names = Object.keys(fields);
  return object({
    extraction_successful: {
      type: 'boolean',
      description: 'Whether this is such a document and could be read.',
    },
    confidence: { type: 'string', enum: confidence.options },
    missing_fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'Names of fields the document does not state.',
    },
    fields: object(mapValues(fields, fieldSchema)),
    evidence: object(
      Object.fromEntries(
        names.map((name) => [name, nullable('string', `The exact characters that state ${name}.`)]),
      ),
    ),
  });
}

export function toChoiceSchema(types: readonly OfferedType[]): JsonSchema {
  return object({ type: { type: 'string', enum: types.map(({ name }) => name) } });
}

type Field = DocumentSchema['fields'][string];

function fieldSchema({ kind, description, columns = {} }: Field): JsonSchema {
  if (kind !== 'lines') return valueSchema(kind, description);
  return {
    type: ['array', 'null'],
    description,
    items: object(mapValues(columns, (column) => valueSchema(column))),
  };
}

function valueSchema(kind: FieldKind, description?: string): JsonSchema {
  const { type, format } = describeFieldKind(kind);
  return nullable(type, description ? `${description} (${format})` : format);
}

function nullable(type: string, description: string): JsonSchema {
  return { type: [type, 'null'], description };
}

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function mapValues<Value, Result>(
  record: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
