import { describe, expect, test } from 'vitest';
import { documentSchema } from '../schema.ts';
import { schemas } from './index.ts';
import { toJsonSchema } from './json-schema.ts';

describe.each(Object.entries(schemas))('%s', (name, schema) => {
  test('is well-formed and named as in the table', () => {
    expect(documentSchema.parse(schema)).toEqual(schema);
    expect(schema.name).toBe(name);
  });

  test('names only fields it has', () => {
    const { critical, fields, rules } = documentSchema.parse(schema);
    const named = rules.flatMap((rule) =>
      rule.kind === 'order' ? [rule.earlier, rule.later] : [...rule.of, ...(rule.kind === 'sum' ? [rule.equals] : [])],
    );
    for (const path of [...critical, ...named]) expect(Object.keys(fields)).toContain(path.split('.')[0]);
  });

  test('is asked for strictly', () => {
    const check = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('properties' in node && typeof node.properties === 'object' && node.properties) {
        expect(node).toMatchObject({ required: Object.keys(node.properties), additionalProperties: false });
      }
      Object.values(node).forEach(check);
    };
    check(toJsonSchema(schema));
  });
});

test('values are nullable, tables have rows', () => {
  expect(toJsonSchema(schemas.invoice)).toMatchObject({
    properties: {
      fields: {
        properties: {
          total: { type: ['number', 'null'] },
          invoice_date: { type: ['string', 'null'] },
          line_items: { type: ['array', 'null'], items: { properties: { amount: { type: ['number', 'null'] } } } },
        },
      },
    },
  });
});
