import pg from 'pg';
import { SECOND } from '../lib/time.ts';

/**
 * What is between us and Postgres. A session pooler gives each of our connections one of its own; a
 * transaction pooler gives it one per transaction, so that nothing a session has can be used:
 * settings, prepared statements, session locks.
 */
export type Pooling = 'none' | 'session' | 'transaction';

const rounds = 20;

/**
 * Without a pooler, the process that answers is the one that the connection was opened to. Behind
 * one, two connections that are open at once never have the same process in session mode. In
 * transaction mode they take turns on idle ones, or change their own under load.
 */
export async function findPooling(url: string): Promise<Pooling> {
  const [one, other] = [openPlain(url), openPlain(url)];
  try {
    await one.connect();
    const first = await backendOf(one);
    if (first === announcedBackend(one)) return 'none';
    await other.connect();
    const second = await backendOf(other);
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [await backendOf(one), await backendOf(other)];
      if (a === b || a !== first || b !== second) return 'transaction';
    }
    return 'session';
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => undefined)));
  }
}

/** Whether two URLs lead to the same database: a lock taken through one is seen by the other. */
export async function isSameDatabase(url: string, otherUrl: string): Promise<boolean> {
  const [one, other] = [openPlain(url), openPlain(otherUrl)];
  const take = 'select pg_try_advisory_xact_lock($1) as taken';
  const key = [Math.floor(Math.random() * 2 ** 31)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    await one.query('begin');
    await one.query(take, key);
    const { rows } = await other.query<{ taken: boolean }>(take, key);
    return rows[0]?.taken === false;
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => undefined)));
  }
}

/** Without the settings that a pooler may refuse. */
function openPlain(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'millrace',
    connectionTimeoutMillis: 10 * SECOND,
    query_timeout: 10 * SECOND,
  });
  client.on('error', () => undefined);
  return client;
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** The process id in the greeting of the server, which the types do not mention. */
function announcedBackend(client: pg.Client & { processID?: number }): number | undefined {
  return client.processID;
}
