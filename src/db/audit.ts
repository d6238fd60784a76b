import { and, desc, eq, gte, lt, type SQL } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './index.ts';
import { auditLog } from './schema/audit-log.ts';

export type AuditEntry = typeof auditLog.$inferSelect;
export type NewAuditEntry = typeof auditLog.$inferInsert;

export async function appendAudit(db: Db, entry: NewAuditEntry): Promise<void> {
  await db.insert(auditLog).values(entry);
}

export interface AuditFilter {
  workspaceId?: string | undefined;
  actor?: string | undefined;
  targetId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Entries with smaller ids only. */
  before?: number | undefined;
  limit: number;
}

/** Newest first. */
export function listAudit(db: Db, filter: AuditFilter): Promise<AuditEntry[]> {
  const { workspaceId, actor, targetId, since, until, before, limit } = filter;
  const conditions: (SQL | undefined)[] = [
    workspaceId === undefined ? undefined : eq(auditLog.workspaceId, workspaceId),
    actor === undefined ? undefined : eq(auditLog.actor, actor),
    targetId === undefined ? undefined : eq(auditLog.targetId, targetId),
    since && gte(auditLog.at, since),
    until && lt(auditLog.at, until),
    before === undefined ? undefined : lt(auditLog.id, before),
  ];
  return db
    .select()
    .from(auditLog)
    .where(and(...conditions))
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

const piece = 10_000;

/** Deletes entries past their retention period, in pieces. Returns how many. */
export async function purgeAudit(pool: pg.Pool, keepMs: number): Promise<number> {
  let purged = 0;
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(
      "select purge_audit_log($1 * interval '1 millisecond', $2) as count",
      [keepMs, piece],
    );
    const count = rows[0]?.count ?? 0;
    purged += count;
    if (count < piece) return purged;
  }
}
