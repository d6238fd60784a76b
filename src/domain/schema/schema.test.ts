import { describe, expect, test } from 'vitest';
import { policy } from '../../../test/kit/policy.ts';
import { schemaDefinition, schemaName } from './index.ts';

function faultsOf(change: object): string[] {
  const { error } = schemaDefinition.safeParse({ ...policy, ...change });
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

const text = { kind: 'text', description: '' };

describe('a definition', () => {
  test('is told every name in it that is of no field, or of the wrong kind', () => {
    const rules = [
      { kind: 'sum', of: ['net_premium', 'taxes'], equals: 'holder' },
      { kind: 'order', earlier: 'start_date', later: 'premium' },
      { kind: 'some', of: ['nobody'] },
    ];
    expect(faultsOf({ critical: ['policy_no'], rules })).toEqual([
      'critical.0: there is no field "policy_no"',
      'rules.0.of.1: there is no field "taxes"',
      'rules.0.equals: "holder" is text, not amount or number',
      'rules.1.later: "premium" is amount, not date',
      'rules.2.of.0: there is no field "nobody"',
    ]);
  });

  test.each([
    ['pattern', { ...text, pattern: '(a+)+' }, /^fields\.a\.pattern: may take too long/],
    [
      'pattern',
      { ...text, kind: 'date', pattern: 'a' },
      /^fields\.a\.pattern: only a text has one/,
    ],
    ['columns', { ...text, kind: 'lines' }, /^fields\.a\.columns: lines need columns/],
    ['columns', { ...text, columns: { b: 'text' } }, /^fields\.a\.columns: only lines have them/],
    [
      'columns',
      { ...text, kind: 'lines', columns: { b: 'lines' } },
      /^fields\.a\.columns\.b: a column cannot be lines/,
    ],
    ['labels', { ...text, labels: ['…'] }, /^fields\.a\.labels\.0: has no letters or digits/],
    [
      'labels',
      { ...text, kind: 'summary', labels: ['x'] },
      /^fields\.a\.labels: summary are not found by labels/,
    ],
    ['a misspelled member', { ...text, label: ['x'] }, /^fields\.a: Unrecognized key/],
    ['a kind', { ...text, kind: 'money' }, /^fields\.a\.kind: Invalid option/],
  ])('is refused for %s', (_, field, fault) => {
    expect(faultsOf({ fields: { a: field }, critical: [], rules: [] })).toEqual([
      expect.stringMatching(fault),
    ]);
  });

  test.each(['constructor', 'Total', 'a b', ''])('has no field named "%s"', (name) => {
    expect(faultsOf({ fields: { [name]: text }, critical: [], rules: [] })).toHaveLength(1);
  });

  test('knows its own kind by something', () => {
    expect(faultsOf({ recognise: [{ none: ['x'] }, { any: ['@moon'] }] })).toEqual([
      'recognise.0: needs `all` or `any`: absent words alone cannot identify a type',
      'recognise.1.any.0: is not one of the signs @e-invoice, @money, @invoice, @till',
    ]);
  });
});

test.each(['auto', 'Policy', 'a_b', '9', ''])('"%s" names no type', (name) => {
  expect(schemaName.safeParse(name).success).toBe(false);
});
