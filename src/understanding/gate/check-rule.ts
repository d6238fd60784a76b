import type { Rule } from '../../domain/schema/rule.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { isBridged } from './bridge.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Describes how the fields violate a rule. Undefined if the rule holds or does not apply. */
export function checkRule(rule: Rule, fields: Fields, reading: LayoutReading): string | undefined {
  if (rule.kind === 'sum') return checkSum(rule, fields, reading);
  return rule.kind === 'order' ? checkOrder(rule, fields) : checkSome(rule, fields);
}

function checkSum(
  { of, equals, tolerance }: Extract<Rule, { kind: 'sum' }>,
  fields: Fields,
  reading: LayoutReading,
): string | undefined {
  const parts = of.map((path) => numbersAt(fields, path));
  const [expected] = numbersAt(fields, equals);
  if (expected === undefined || parts.some((numbers) => numbers.length === 0)) return undefined;
  const sum = parts.flat().reduce((total, part) => total + part, 0);
  if (Math.abs(sum - expected) <= tolerance + Number.EPSILON * Math.abs(expected)) return undefined;
  // Table rows do not include surcharges and discounts that are printed below the table.
  if (of.every((path) => path.includes('.')) && isBridged(sum, expected, reading)) return undefined;
  return `the sum of ${of.join(' + ')} is ${Number(sum.toFixed(2))}, but ${equals} is ${expected}`;
}

function checkOrder(
  { earlier, later }: Extract<Rule, { kind: 'order' }>,
  fields: Fields,
): string | undefined {
  const [first, second] = [fields[earlier], fields[later]];
  if (typeof first !== 'string' || typeof second !== 'string' || first <= second) return undefined;
  return `${earlier} (${first}) is after ${later} (${second})`;
}

function checkSome({ of }: Extract<Rule, { kind: 'some' }>, fields: Fields): string | undefined {
  const isPresent = (value: unknown) =>
    Array.isArray(value) ? value.length > 0 : (value ?? '') !== '';
  return of.some((name) => isPresent(fields[name]))
    ? undefined
    : `none of ${of.join(', ')} was found`;
}

/** The path is a field (`total`) or a table column (`line_items.amount`). */
function numbersAt(fields: Fields, path: string): number[] {
  const [name = '', column] = path.split('.');
  const values =
    column === undefined ? [fields[name]] : [fields[name]].flat().map((row) => cellOf(row, column));
  return values.filter((value) => typeof value === 'number');
}

function cellOf(row: unknown, column: string): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, column) : undefined;
}
