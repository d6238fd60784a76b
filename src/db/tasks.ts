import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './index.ts';
import { ingestions } from './schema/ingestions.ts';
import { tasks } from './schema/tasks.ts';

const workspaceOfTask = sql<
  string | null
>`coalesce(${ingestions.workspaceId}, ${tasks.workspaceId})`;

/** A task as operators see it. */
export async function findTask(db: Db, id: string, workspaceId?: string) {
  const [task] = await db
    .select({
      id: tasks.id,
      subject: sql<{
        kind: string;
        id: string;
      }>`jsonb_build_object('kind', ${tasks.subjectKind}, 'id', coalesce(${tasks.ingestionId}, ${tasks.subjectId}))`,
      workspaceId: workspaceOfTask,
      documentId: ingestions.documentId,
      stage: tasks.stage,
      lane: tasks.lane,
      state: tasks.state,
      attempts: tasks.attempts,
      postponed: tasks.postponed,
      losses: tasks.losses,
      suspect: tasks.suspect,
      worker: tasks.leaseOwner,
      lastError: tasks.lastError,
      notBefore: tasks.notBefore,
      giveUpAt: tasks.giveUpAt,
      createdAt: tasks.createdAt,
      endedAt: tasks.endedAt,
    })
    .from(tasks)
    .leftJoin(ingestions, eq(ingestions.id, tasks.ingestionId))
    .where(
      and(
        eq(tasks.id, id),
        workspaceId === undefined ? undefined : eq(workspaceOfTask, workspaceId),
      ),
    );
  return task;
}
