import type { Rule } from '../schema.ts';

type Fields = Readonly<Record<string, unknown>>;
type Checks = { [Kind in Rule['kind']]: (rule: Extract<Rule, { kind: Kind }>, fields: Fields) => string | undefined };

const checks: Checks = {
  sum: ({ of, equals, tolerance }, fields) => {
    const parts = of.flatMap((path) => numbersAt(fields, path));
    const [whole] = numbersAt(fields, equals);
    if (whole === undefined || parts.length < of.length) return undefined;
    const sum = parts.reduce((total, part) => total + part, 0);
    return Math.abs(sum - whole) <= tolerance + 1e-9
      ? undefined
      : `${of.join(' + ')} is ${Number(sum.toFixed(2))}, not ${whole} (${equals})`;
  },
  order: ({ earlier, later }, fields) => {
    const [first, second] = [fields[earlier], fields[later]];
    return typeof first === 'string' && typeof second === 'string' && first > second
      ? `${earlier} ${first} is after ${later} ${second}`
      : undefined;
  },
};

/** How the fields break a rule; undefined where it holds or says nothing about them. */
export function checkRule(rule: Rule, fields: Fields): string | undefined {
  return rule.kind === 'sum' ? checks.sum(rule, fields) : checks.order(rule, fields);
}

/** `total`, or the column of a table: `line_items.amount`. */
function numbersAt(fields: Fields, path: string): number[] {
  const [name = '', column] = path.split('.');
  const value = fields[name];
  if (column === undefined) return typeof value === 'number' ? [value] : [];
  return Array.isArray(value) ? value.flatMap((row) => (typeof row?.[column] === 'number' ? [row[column]] : [])) : [];
}
