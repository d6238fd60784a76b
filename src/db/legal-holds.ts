import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { newId } from '../lib/ids.ts';
import type { Db } from './index.ts';
import { legalHolds } from './schema/legal-holds.ts';

export type LegalHold = typeof legalHolds.$inferSelect;

/** A workspace, or only one batch or document in it. */
export interface HoldTarget {
  workspaceId: string;
  batchId?: string | undefined;
  documentId?: string | undefined;
}

/** Waits for deletions in progress in the workspace. Later ones are refused. */
export async function setHold(
  db: Db,
  target: HoldTarget,
  { reason, by }: { reason: string; by: string },
): Promise<LegalHold> {
  const [made] = await db
    .insert(legalHolds)
    .values({ id: newId(), ...target, reason, setBy: by })
    .returning();
  if (!made) throw new Error('The legal hold was not stored');
  return made;
}

/** Returns undefined if there is no such hold, or if it was already released. */
export async function releaseHold(
  db: Db,
  id: string,
  { reason, by }: { reason: string; by: string },
): Promise<LegalHold | undefined> {
  const [released] = await db
    .update(legalHolds)
    .set({ releasedAt: sql`now()`, releasedBy: by, releaseReason: reason })
    .where(and(eq(legalHolds.id, id), isNull(legalHolds.releasedAt)))
    .returning();
  return released;
}

export async function findHold(
  db: Db,
  id: string,
  workspaceId: string | undefined,
): Promise<LegalHold | undefined> {
  const [found] = await db
    .select()
    .from(legalHolds)
    .where(and(eq(legalHolds.id, id), inWorkspace(workspaceId)));
  return found;
}

interface HoldListing {
  workspaceId: string | undefined;
  active?: boolean | undefined;
  before?: string | undefined;
  limit: number;
}

/** Newest first, released ones included unless only active ones are wanted. */
export function listHolds(db: Db, { workspaceId, active, before, limit }: HoldListing) {
  return db
    .select()
    .from(legalHolds)
    .where(
      and(
        inWorkspace(workspaceId),
        active ? isNull(legalHolds.releasedAt) : undefined,
        before ? lt(legalHolds.id, before) : undefined,
      ),
    )
    .orderBy(desc(legalHolds.id))
    .limit(limit);
}

/** Whether a hold covers this batch, or the whole workspace. */
export async function isBatchHeld(db: Db, workspaceId: string, batchId?: string): Promise<boolean> {
  const whole = sql`${legalHolds.batchId} is null and ${legalHolds.documentId} is null`;
  const own = batchId === undefined ? sql`false` : sql`${legalHolds.batchId} = ${batchId}`;
  const [found] = await db
    .select({ id: legalHolds.id })
    .from(legalHolds)
    .where(
      and(
        eq(legalHolds.workspaceId, workspaceId),
        isNull(legalHolds.releasedAt),
        sql`((${whole}) or ${own})`,
      ),
    )
    .limit(1);
  return found !== undefined;
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(legalHolds.workspaceId, workspaceId);
}
