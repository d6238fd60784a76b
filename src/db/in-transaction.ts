import type pg from 'pg';

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
