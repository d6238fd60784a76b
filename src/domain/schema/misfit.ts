import type { Field, FieldKind } from './field.ts';

/**
 * Describes why a value cannot be stored in a field, or undefined. Whether it is plausible is left
 * to the gate: a document may print a wrong IBAN.
 */
export function misfit(value: unknown, { kind, columns = {} }: Field): string | undefined {
  if (value === null) return undefined;
  return kind === 'lines' ? misfitOfLines(value, columns) : misfitOfValue(value, kind);
}

function misfitOfValue(value: unknown, kind: FieldKind): string | undefined {
  if (kind === 'amount' || kind === 'number')
    return typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a number';
  if (typeof value !== 'string') return 'must be text';
  if (kind === 'date') return isDate(value) ? undefined : 'must be a date such as 2026-01-31';
  return value.length > longest ? `must have at most ${longest} characters` : undefined;
}

const longest = 10_000;

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

function misfitOfLines(
  value: unknown,
  columns: Readonly<Record<string, FieldKind>>,
): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of rows';
  for (const [i, row] of value.entries()) {
    if (typeof row !== 'object' || row === null) return `row ${i + 1} must be an object`;
    for (const [column, cell] of Object.entries(row)) {
      const kind = columns[column];
      if (kind === undefined) return `row ${i + 1} has no column ${column}`;
      const wrong = cell === null ? undefined : misfitOfValue(cell, kind);
      if (wrong) return `row ${i + 1}: ${column} ${wrong}`;
    }
  }
  return undefined;
}
