import { and, type SQL, sql } from 'drizzle-orm';

/** What the entries of an index begin with, a row a run: within a run they stand in order of their ids. */
export interface Runs {
  query: SQL;
  /** The columns of the index before the id, called the same in the query; none = the primary key. */
  columns: readonly string[];
}

interface Newest {
  /** The table that is listed, called `item`, and what it is joined with. */
  from: SQL;
  runs: Runs;
  where?: (SQL | undefined)[];
  before: string | undefined;
  limit: number;
}

/**
 * The ids of the newest rows, no run being read further than a page. Its columns are compared with lists of one: by
 * equality the planner would leave them out of the order, and walk all that is newer in other runs instead.
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

/** The workspace of a caller. For one who sees all: each of them where only their indexes know a filter, else everything. */
export function workspaceRuns(workspaceId: string | undefined, filtered: boolean): Runs {
  if (workspaceId !== undefined) return oneRun('workspace_id', workspaceId);
  if (!filtered) return { query: sql`select`, columns: [] };
  return { query: sql`select id as workspace_id from workspaces`, columns: ['workspace_id'] };
}

export function oneRun(column: string, id: string): Runs {
  return { query: sql`select ${id}::uuid as ${sql.identifier(column)}`, columns: [column] };
}

/** Those of the runs that have one of these values in the next column of the index. */
export function runsWith(column: string, values: readonly string[] | undefined, runs: Runs): Runs {
  if (!values) return runs;
  const name = sql.identifier(column);
  const query = sql`select own.*, ${name} from (${runs.query}) own, unnest(${sql.param([...values])}::text[]) ${name}`;
  return { query, columns: [...runs.columns, column] };
}
