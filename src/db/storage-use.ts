import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from './index.ts';
import { documents } from './schema/documents.ts';
import { workspaces } from './schema/workspaces.ts';

/** Bytes of the documents that a workspace holds, entries of containers included. */
export async function storedBytes(db: Db, workspaceId: string): Promise<number> {
  const [found] = await db
    .select({ bytes: sql<string>`coalesce(sum(${documents.bytes}), 0)` })
    .from(documents)
    .where(and(eq(documents.workspaceId, workspaceId), isNull(documents.deletedAt)));
  return Number(found?.bytes ?? 0);
}

/** Null = unlimited. */
export async function storageQuota(db: Db, workspaceId: string): Promise<number | null> {
  const [found] = await db
    .select({ quota: workspaces.storageQuotaBytes })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return found?.quota ?? null;
}
