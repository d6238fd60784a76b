import type pg from 'pg';
import { newId } from '../../src/lib/ids.ts';
import { makeActiveBatch, makeDocuments, makeEnded, makeWorkspace, type Queries } from './rows.ts';

/** Rows per statement. A million at once would need too much memory and temporary files. */
const slice = 100_000;

/**
 * Fills the tables as after years of use. A quarter of the documents waits in an active batch. The
 * others have ended in a finished batch, and a tenth of those was delivered. Returns the active
 * batch.
 */
export async function fillTables(
  pool: pg.Pool,
  workspaceId: string,
  documents: number,
): Promise<string> {
  const waitingIn = await makeWorkspace(pool, 50);
  const batchId = await makeActiveBatch(pool, waitingIn);
  const over = await makeActiveBatch(pool, workspaceId);
  await quickly(pool, async (client) => {
    const ended = Math.round(documents * 0.75);
    for (let made = 0; made < ended; made += slice)
      await makeEnded(client, { workspaceId, batchId: over, count: Math.min(slice, ended - made) });
    for (let made = 0; made < documents - ended; made += slice) {
      const count = Math.min(slice, documents - ended - made);
      await makeDocuments(client, { workspaceId: waitingIn, batchId, count });
    }
    await client.query(
      "update dead_letters set state = 'discarded', closed_at = now() where right(id::text, 1) <> '0'",
    );
    await makeDeliveries(client, workspaceId);
    await client.query(
      `insert into batches (id, workspace_id, name, type, state, ended_at)
       select gen_random_uuid(), $1, 'old', 'FILES', 'cancelled', now() from generate_series(1, 10000)`,
      [workspaceId],
    );
  });
  await pool.query(
    "update batches set state = 'completed', turn_at = null, ended_at = now() where id = $1",
    [over],
  );
  await pool.query('vacuum analyze');
  return batchId;
}

/**
 * Disables triggers and foreign keys if the user is allowed to. The generated rows satisfy them
 * anyway.
 */
async function quickly(pool: pg.Pool, make: (client: Queries) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query(
      'select rolsuper from pg_roles where rolname = current_user',
    );
    if (rows[0]?.rolsuper) await client.query('set session_replication_role = replica');
    await make(client);
  } finally {
    // Destroyed rather than returned to the pool, because its setting would affect the next user.
    client.release(true);
  }
}

async function makeDeliveries(client: Queries, workspaceId: string): Promise<void> {
  const destinationId = newId();
  await client.query(
    "insert into destinations (id, workspace_id, name, kind, settings) values ($1, $2, 'full', 'http', '{}')",
    [destinationId, workspaceId],
  );
  await client.query(
    `insert into deliveries (id, workspace_id, document_id, ingestion_id, destination_id, state, outcome, ended_at)
     select id, $2, document_id, id, $1, 'ended', 'managed', now() from ingestions
      where workspace_id = $2 and right(document_id::text, 1) = '1' and status = 'completed'`,
    [destinationId, workspaceId],
  );
}
