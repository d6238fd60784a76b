import type pg from 'pg';

/** Runs work in a transaction on one connection of its own. */
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
    // The session may be in any state, also beyond a rollback: it is not reused.
    client.release(true);
    throw error;
  }
}
