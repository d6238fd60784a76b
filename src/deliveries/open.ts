import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { deliveries } from '../db/schema/deliveries.ts';
import { destinations } from '../db/schema/destinations.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { ingestionKind } from '../db/schema/tasks.ts';
import { deliverStage } from '../domain/delivery.ts';
import { insertTask } from '../engine/task/effects.ts';
import type { Announcement } from '../engine/task/task.ts';
import { newId } from '../lib/ids.ts';

interface Completed {
  id: string;
  workspaceId: string;
  ingestion: { id: string };
}

/**
 * Opens one delivery per destination of the workspace, with a task unless the destination is
 * disabled or delays deliveries. A reprocessed document is delivered again unless the manager holds
 * it or its delivery is in progress. A document that needs a review waits for its approval, except
 * for destinations that want it at once.
 */
export async function openDeliveries(
  tx: Db,
  document: Completed,
  insertTask: () => Promise<Announcement>,
): Promise<Announcement[]> {
  const targets = await findTargets(tx, document);
  const hints: Announcement[] = [];
  for (const { id: destinationId, enabled, holdMs } of targets) {
    const state = enabled ? (holdMs > 0 ? 'scheduled' : 'queued') : 'received';
    const opened = await openDelivery(tx, document, { destinationId, state, inMs: holdMs });
    if (!opened || state !== 'queued') continue;
    const hint = await insertTask();
    await tx.update(deliveries).set({ taskId: hint.taskId }).where(eq(deliveries.id, opened));
    hints.push(hint);
  }
  return hints;
}

/** Opens deliveries after the run has ended: when a review is approved. */
export function openAndQueueDeliveries(
  tx: Db,
  document: Completed,
  giveUpMs: number,
): Promise<Announcement[]> {
  const { workspaceId, ingestion } = document;
  const subject = { kind: ingestionKind, id: ingestion.id, workspaceId };
  return openDeliveries(tx, document, () =>
    insertTask(tx, { subject, stage: deliverStage, giveUpMs }),
  );
}

function findTargets(tx: Db, { workspaceId, ingestion }: Completed) {
  const passed = sql`coalesce(${ingestions.validStructuredData}, true)`;
  return tx
    .select({ id: destinations.id, enabled: destinations.enabled, holdMs: destinations.holdMs })
    .from(destinations)
    .innerJoin(ingestions, eq(ingestions.id, ingestion.id))
    .where(
      and(
        eq(destinations.workspaceId, workspaceId),
        isNull(destinations.deletedAt),
        or(passed, destinations.deliverDoubtful),
      ),
    );
}

export interface Opening {
  destinationId: string;
  state: 'received' | 'scheduled' | 'queued';
  inMs: number;
}

/** The id of the delivery that was created or restarted; undefined if there is nothing to do. */
export async function openDelivery(
  tx: Db,
  { id: documentId, workspaceId, ingestion }: Completed,
  { destinationId, state, inMs }: Opening,
): Promise<string | undefined> {
  const notBefore = sql`now() + ${inMs} * interval '1 millisecond'`;
  const fresh = {
    ingestionId: ingestion.id,
    state,
    outcome: 'none',
    taskId: null,
    notBefore,
    submittingAt: null,
    submittedAt: null,
    reference: null,
    reasonCode: null,
    reason: null,
    endedAt: null,
    updatedAt: sql`now()`,
  } as const;
  const [opened] = await tx
    .insert(deliveries)
    .values({ id: newId(), workspaceId, documentId, destinationId, ...fresh })
    .onConflictDoUpdate({
      target: [deliveries.documentId, deliveries.destinationId],
      set: fresh,
      setWhere: sql`${deliveries.state} = 'ended' and ${deliveries.outcome} <> 'managed'`,
    })
    .returning({ id: deliveries.id });
  return opened?.id;
}
