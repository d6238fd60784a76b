import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { SECOND } from '../lib/time.ts';

/** A pool or a transaction: queries take it first and run in or out of a transaction alike. */
export type Db = Pick<
  NodePgDatabase,
  '_' | 'select' | 'insert' | 'update' | 'delete' | 'execute' | 'transaction'
>;

export interface Database {
  db: NodePgDatabase;
  /** For the hot path: named statements and session state. */
  pool: pg.Pool;
  /**
   * Connections that hold a lock while work goes on over `pool`. Taken from there, a few of them could leave none for
   * the work that they wait for.
   */
  locks: pg.Pool;
  /** For what must not stand in line behind the work itself. */
  urgent: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  url: string;
  connections: number;
  onError: (error: Error) => void;
}

export function openDatabase(settings: DatabaseSettings): Database {
  let closing = false;
  const open = (changes: pg.PoolConfig = {}) => openPool(settings, () => closing, changes);
  const [pool, locks] = [open(), open()];
  // Kept open once it is used: to connect anew takes several round trips.
  const urgent = open({ max: 2, idleTimeoutMillis: 0 });
  const close = async () => {
    closing = true;
    await Promise.all([pool, locks, urgent].map((each) => each.end()));
  };
  return { db: drizzle({ client: pool }), pool, locks, urgent, close };
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
    // A stopped process inside a transaction must not hold its row locks for ever.
    statement_timeout: 30 * SECOND,
    lock_timeout: 10 * SECOND,
    idle_in_transaction_session_timeout: 15 * SECOND,
    // The server ends slow statements by itself; if not even that is heard of, the connection is dead.
    query_timeout: 35 * SECOND,
    ...changes,
  });
  // Connections that are being ended may meet a server that ends them too: that is no loss.
  pool.on('error', (error) => isClosing() || onError(error));
  // Whoever holds a connection learns of its end from the next query; the event, unheard, would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
