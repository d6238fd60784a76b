import { describe, expect, test } from 'vitest';
import { documentSchema } from '../schema/index.ts';
import { schemas } from './index.ts';

describe.each(Object.entries(schemas))('%s', (name, schema) => {
  test('is well-formed and named as in the table', () => {
    expect(documentSchema.parse(schema)).toEqual(schema);
    expect(schema.name).toBe(name);
  });

  test('names only fields it has', () => {
    const { critical, fields, rules } = documentSchema.parse(schema);
    const named = rules.flatMap((rule) =>
      rule.kind === 'order'
        ? [rule.earlier, rule.later]
        : [...rule.of, ...(rule.kind === 'sum' ? [rule.equals] : [])],
    );
    for (const path of [...critical, ...named])
      expect(Object.keys(fields)).toContain(path.split('.')[0]);
  });
});
