import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from './index.ts';
import { accounts } from './schema/accounts.ts';

/** The period of an account of a workspace: the day in UTC, by the clock of Postgres. */
export const today = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD')`;

/** What the documents of a batch cost so far, in millionths of a dollar. */
export function spentInBatch(db: Db, batchId: string): Promise<number> {
  return spentOf(db, batchId, sql`'all'`);
}

/** What a workspace spent since midnight in UTC. */
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
