import type { QueryResult, QueryResultRow } from 'pg';
import type { Db } from './index.ts';

/** SQL of the hot path, where building and planning a query would cost more than running it. */
export interface Statement {
  /** Name of the prepared statement on a connection; must be unique. */
  name: string;
  text: string;
}

/** Runs a statement, inside or outside a transaction. It is planned once per connection. */
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
