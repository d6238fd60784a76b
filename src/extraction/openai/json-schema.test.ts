import { expect, test } from 'vitest';
import { documentSchema } from '../../domain/schema/index.ts';
import { toStrictJsonSchema } from './json-schema.ts';

const schema = documentSchema.parse({
  name: 'receipt',
  version: 1,
  title: 'Receipt',
  fields: {
    total: { kind: 'amount', description: 'What was paid' },
    items: {
      kind: 'lines',
      description: 'What was bought',
      columns: { name: 'text', price: 'amount' },
    },
  },
  critical: [],
  rules: [],
  prompt: '',
});

test('asks for every field and its evidence, each of which may be null', () => {
  expect(toStrictJsonSchema(schema)).toMatchObject({
    type: 'object',
    required: ['extraction_successful', 'confidence', 'missing_fields', 'fields', 'evidence'],
    properties: {
      confidence: { enum: ['high', 'medium', 'low'] },
      fields: {
        required: ['total', 'items'],
        properties: {
          total: {
            type: ['number', 'null'],
            description: expect.stringContaining('What was paid'),
          },
          items: {
            type: ['array', 'null'],
            items: {
              required: ['name', 'price'],
              properties: { name: { type: ['string', 'null'] } },
            },
          },
        },
      },
      evidence: {
        required: ['total', 'items'],
        properties: { total: { type: ['string', 'null'] } },
      },
    },
  });
});

test('is strict at every level', () => {
  const loose = objectsIn(toStrictJsonSchema(schema)).filter(
    (object) => object.additionalProperties !== false,
  );
  expect(loose).toEqual([]);
});

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return 'type' in value && value.type === 'object' ? [{ ...value }, ...inner] : inner;
}
