import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from './index.ts';
import { accounts } from './schema/accounts.ts';

/** The period of a workspace's account: the UTC day by the clock of Postgres. */
export const today = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD')`;

/** Cost of a batch's documents so far, in millionths of a dollar. */
export function spentInBatch(db: Db, batchId: string): Promise<number> {
  return spentOf(db, batchId, sql`'all'`);
}

/** Amount a workspace has spent since midnight UTC. */
export function spentToday(db: Db, workspaceId: string): Promise<number> {
  return spentOf(db, workspaceId, sql.raw(today));
}

async function spentOf(db: Db, owner: string, period: SQL): Promise<number> {
  const [account] = await db
    .select({ spent: accounts.spentMicros })
    .from(accounts)
    .where(and(eq(accounts.owner, owner), eq(accounts.period, period)));
  return account?.spent ?? 0;
}
