import type { QueryResult, QueryResultRow } from 'pg';
import type { Db } from './index.ts';

/** SQL of the hot path, where building a query and planning it would cost more than running it. */
export interface Statement {
  /** Under which a connection keeps its plan; no two statements share one. */
  name: string;
  text: string;
}

/** Runs a statement in or out of a transaction; it is planned once a connection. */
export function run<Row extends QueryResultRow>(
  tx: Db,
  { name, text }: Statement,
  values: unknown[],
): Promise<QueryResult<Row>> {
  return tx._.session
    .prepareQuery<{ execute: QueryResult<Row>; all: never; values: never }>(
      { sql: text, params: values },
      undefined,
      name,
      false,
    )
    .execute();
}
