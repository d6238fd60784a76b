import { and, type SQL, sql } from 'drizzle-orm';

/** Index prefixes to read, one row per prefix ("run"). Within a run, entries are ordered by id. */
export interface Runs {
  query: SQL;
  /** The index columns before the id, with the same names in the query; none = the primary key. */
  columns: readonly string[];
}

interface Newest {
  /** The listed table, aliased as `item`, and its joins. */
  from: SQL;
  runs: Runs;
  where?: (SQL | undefined)[];
  before: string | undefined;
  limit: number;
}

/**
 * The ids of the newest rows; at most one page is read per run. Columns are compared with
 * one-element arrays: with plain equality the planner drops them from the sort order and scans all
 * newer rows of other runs instead.
 */
export function selectNewest({
  from,
  runs: { query, columns },
  where = [],
  before,
  limit,
}: Newest): SQL {
  const names = columns.map((name) => sql.identifier(name));
  const conditions = and(
    sql`true`,
    ...names.map((name) => sql`item.${name} = any(array[run.${name}])`),
    before === undefined ? undefined : sql`item.id < ${before}`,
    ...where,
  );
  const order = [...names.map((name) => sql`item.${name} desc`), sql`item.id desc`];
  return sql`array(select found.id from (${query}) run cross join lateral (
    select item.id from ${from} where ${conditions} order by ${sql.join(order, sql`, `)} limit ${limit}) found
    order by found.id desc limit ${limit})`;
}

/**
 * The workspace of the caller. A caller who sees all gets one run per workspace if a filter needs
 * the workspace indexes, else the whole table.
 */
export function workspaceRuns(workspaceId: string | undefined, filtered: boolean): Runs {
  if (workspaceId !== undefined) return oneRun('workspace_id', workspaceId);
  if (!filtered) return { query: sql`select`, columns: [] };
  return { query: sql`select id as workspace_id from workspaces`, columns: ['workspace_id'] };
}

export function oneRun(column: string, id: string): Runs {
  return { query: sql`select ${id}::uuid as ${sql.identifier(column)}`, columns: [column] };
}

/** Extends each run by these values of the next index column. */
export function runsWith(column: string, values: readonly string[] | undefined, runs: Runs): Runs {
  if (!values) return runs;
  const name = sql.identifier(column);
  const query = sql`select own.*, ${name} from (${runs.query}) own, unnest(${sql.param([...values])}::text[]) ${name}`;
  return { query, columns: [...runs.columns, column] };
}
