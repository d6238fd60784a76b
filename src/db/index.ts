import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg, { type QueryResult, type QueryResultRow } from 'pg';
import { SECOND } from '../lib/time.ts';
import { limits, setLimits } from './limits.ts';
import type { Pooling } from './pooling.ts';
import { StatelessClient } from './stateless-client.ts';

/** A pool or a transaction. Query functions take it as their first argument. */
export type Db = Pick<
  NodePgDatabase,
  '_' | 'select' | 'insert' | 'update' | 'delete' | 'execute' | 'transaction'
>;

export interface Database {
  db: NodePgDatabase;
  /** For the hot path: named statements. Nothing may rely on the state of a session. */
  pool: pg.Pool;
  /**
   * Connections whose session stays the same: for locks and migrations. If those that hold a lock
   * came from `pool`, they could exhaust it and deadlock.
   */
  locks: pg.Pool;
  /** For queries that must not queue behind regular work. */
  urgent: pg.Pool;
  /** What `pool` and `urgent` lead to. */
  pooling: Pooling;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  url: string;
  connections: number;
  onError: (error: Error) => void;
  /** What `url` leads to. Default: Postgres itself. */
  pooling?: Pooling;
  /** Postgres itself, if `url` is a transaction pooler. Default: `url`. */
  directUrl?: string | undefined;
}

/** Connections beside those of the pool. */
export const urgentConnections = 2;
/** One for the scheduler and one for the API, which also runs interval jobs. */
export const lockConnections = 2;

export function openDatabase(settings: DatabaseSettings): Database {
  const { url, directUrl = url, pooling = 'none' } = settings;
  let closing = false;
  const open = (changes: pg.PoolConfig = {}, mode = pooling) =>
    openPool(settings, () => closing, { ...byPooling[mode], ...changes });
  const pool = open();
  const locks = open(
    { connectionString: directUrl, max: lockConnections },
    directUrl === url ? pooling : 'none',
  );
  // Never closed when idle: a new connection takes several round trips.
  const urgent = open({ max: urgentConnections, idleTimeoutMillis: 0 });
  const close = async () => {
    closing = true;
    await Promise.all([pool, locks, urgent].map((each) => each.end()));
  };
  return { db: drizzle({ client: pool }), pool, locks, urgent, pooling, close };
}

function openPool(
  { url, connections, onError }: DatabaseSettings,
  isClosing: () => boolean,
  changes: pg.PoolConfig,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'millrace',
    connectionTimeoutMillis: 10 * SECOND,
    keepAlive: true,
    // The server cancels slow statements itself. If even that response is missing, the connection
    // is dead.
    query_timeout: 35 * SECOND,
    ...changes,
  });
  // While closing, the server may end connections too; that is harmless.
  pool.on('error', (error) => isClosing() || onError(error));
  // The holder of a connection sees the failure in its next query. Without a listener the event
  // would crash the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** How a connection gets its limits. Poolers refuse them while a connection is opened. */
const byPooling: Record<Pooling, pg.PoolConfig> = {
  none: limits,
  // The pool waits for the promise.
  session: { onConnect: (client) => client.query(setLimits('session')) },
  transaction: { Client: StatelessClient },
};

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

/** Runs work in a transaction on its own connection. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // The session may be in any state, so the connection is closed instead of reused.
    client.release(true);
    throw error;
  }
}
