import type { z } from 'zod';
import type { SchemaDefinition } from './definition.ts';
import type { FieldKind } from './field.ts';
import type { Rule } from './rule.ts';

type Report = (path: PropertyKey[], message: string) => void;

/** Reports references between parts of a definition that do not match. */
export function checkConsistency(definition: SchemaDefinition, context: z.RefinementCtx): void {
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path, message });
  checkFields(definition, report);
  const kinds = kindsOf(definition);
  const expect = (path: PropertyKey[], name: string, fits: readonly FieldKind[] = []) => {
    const kind = kinds.get(name);
    if (!kind) report(path, `there is no field "${name}"`);
    else if (fits.length > 0 && !fits.includes(kind))
      report(path, `"${name}" is ${kind}, not ${fits.join(' or ')}`);
  };
  for (const [i, name] of definition.critical.entries()) expect(['critical', i], name);
  for (const [i, rule] of definition.rules.entries()) {
    for (const { at, name, fits } of namesIn(rule)) expect(['rules', i, ...at], name, fits);
  }
}

function checkFields({ fields }: SchemaDefinition, report: Report): void {
  for (const [name, { kind, columns = {}, labels, pattern, anyTime }] of Object.entries(fields)) {
    const isTable = kind === 'lines';
    const say = (member: string, message: string) => report(['fields', name, member], message);
    if (isTable !== Object.keys(columns).length > 0)
      say('columns', isTable ? 'lines need columns' : 'only lines have them');
    for (const [column, of] of Object.entries(columns)) {
      if (of === 'lines' || of === 'summary')
        report(['fields', name, 'columns', column], `a column cannot be ${of}`);
    }
    if (labels && (isTable || kind === 'summary')) say('labels', `${kind} are not found by labels`);
    if (pattern !== undefined && kind !== 'text') say('pattern', 'only a text has one');
    if (anyTime !== undefined && kind !== 'date') say('anyTime', 'only a date has it');
  }
}

/** Kinds of fields and of table columns, the latter as `line_items.amount`. */
function kindsOf({ fields }: SchemaDefinition): Map<string, FieldKind> {
  return new Map(
    Object.entries(fields).flatMap(([name, { kind, columns = {} }]) => [
      [name, kind] as const,
      ...Object.entries(columns).map(([column, of]) => [`${name}.${column}`, of] as const),
    ]),
  );
}

interface Named {
  at: PropertyKey[];
  name: string;
  fits: readonly FieldKind[];
}

const numbers = ['amount', 'number'] as const;

function namesIn(rule: Rule): Named[] {
  if (rule.kind === 'order')
    return (['earlier', 'later'] as const).map((end) => ({
      at: [end],
      name: rule[end],
      fits: ['date'],
    }));
  const fits = rule.kind === 'sum' ? numbers : [];
  const parts = rule.of.map((name, i): Named => ({ at: ['of', i], name, fits }));
  return rule.kind === 'sum' ? [...parts, { at: ['equals'], name: rule.equals, fits }] : parts;
}
