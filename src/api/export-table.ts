import type { DocumentView } from '../db/documents.ts';
import type { SchemaDefinition } from '../domain/schema/definition.ts';

type Cell = string | number | null;
type Values = Record<string, unknown>;

export interface ExportTable {
  columns: string[];
  /** One row per line item, each with the values of its document; one row if there are none. */
  rowsOf(view: DocumentView): Cell[][];
}

/** The columns follow from the schema, so that they are the same in every export of a type. */
export function exportTable({ fields }: Pick<SchemaDefinition, 'fields'>): ExportTable {
  const values = Object.keys(fields).filter((name) => fields[name]?.kind !== 'lines');
  const tables = Object.entries(fields).filter(([, { kind }]) => kind === 'lines');
  const items = tables.flatMap(([name, { columns = {} }]) =>
    Object.keys(columns).map((column) => [name, column] as const),
  );
  return {
    columns: [
      ...['id', 'name', 'path', 'valid', 'needsReview'],
      ...values,
      'line',
      ...items.map((item) => item.join('.')),
    ],
    rowsOf(view) {
      const data = view.structuredData ?? {};
      const head = [view.id, view.name, view.path, String(view.valid), String(view.needsReview)];
      const common = [...head, ...values.map((name) => toCell(data[name]))];
      const count = Math.max(0, ...tables.map(([name]) => linesIn(data, name).length));
      return Array.from({ length: Math.max(1, count) }, (_, i) => [
        ...common,
        count === 0 ? null : i + 1,
        ...items.map(([name, column]) => toCell(linesIn(data, name)[i]?.[column])),
      ]);
    },
  };
}

function linesIn(data: Values, name: string): Values[] {
  const lines = data[name];
  return Array.isArray(lines) ? lines : [];
}

function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  return JSON.stringify(value);
}
