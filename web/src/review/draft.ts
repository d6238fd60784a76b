import type { FieldKind, Schema, Values } from '../api/types.ts';

export type Row = Record<string, string>;
/** What a person typed: text, or rows of text for `lines`. */
export type Draft = Record<string, string | Row[]>;

export function toDraft({ definition: { fields } }: Schema, values: Values): Draft {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { kind, columns = {} }]) => [
      name,
      kind === 'lines' ? toRows(values[name], Object.keys(columns)) : toText(values[name]),
    ]),
  );
}

/** The fields that were changed, as values for the API. */
export function listChanges(schema: Schema, from: Draft, to: Draft): Values {
  const changed = Object.entries(schema.definition.fields).filter(
    ([name]) => JSON.stringify(from[name]) !== JSON.stringify(to[name]),
  );
  return Object.fromEntries(
    changed.map(([name, { kind, columns = {} }]) => {
      const typed = to[name] ?? '';
      return [
        name,
        typeof typed === 'string'
          ? toValue(typed, kind)
          : typed.map((row) => toRowValues(row, columns)),
      ];
    }),
  );
}

function toRows(value: unknown, columns: string[]): Row[] {
  const rows = Array.isArray(value) ? (value as Values[]) : [];
  return rows.map((row) => Object.fromEntries(columns.map((name) => [name, toText(row[name])])));
}

function toRowValues(row: Row, columns: Record<string, FieldKind>): Values {
  return Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => [name, toValue(row[name] ?? '', kind)]),
  );
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Text that is no number is sent as it is: the server explains what it expects. */
function toValue(text: string, kind: FieldKind): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (kind !== 'amount' && kind !== 'number') return trimmed;
  const number = Number(toPlainNumber(trimmed));
  return Number.isFinite(number) ? number : trimmed;
}

/** `1.234,50`, `1,234.50` and `12,5` as a number with a point; the last separator decides. */
function toPlainNumber(text: string): string {
  const compact = text.replace(/[\s'’]/g, '');
  const isComma = compact.lastIndexOf(',') > compact.lastIndexOf('.');
  if (!compact.includes(',')) return compact;
  return isComma ? compact.replaceAll('.', '').replace(',', '.') : compact.replaceAll(',', '');
}
