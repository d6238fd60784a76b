import { and, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import type { DeliveryStatus } from '../domain/delivery.ts';
import type { Db } from './index.ts';
import { oneRun, runsWith, selectNewest, workspaceRuns } from './newest.ts';
import { deliveries } from './schema/deliveries.ts';
import { destinations } from './schema/destinations.ts';
import { documents } from './schema/documents.ts';
import { ingestions } from './schema/ingestions.ts';

export type DeliveryRow = typeof deliveries.$inferSelect;
export type DeliveryView = Awaited<ReturnType<typeof selectViews>>[number];

/** A delivery with everything needed to perform it. */
export async function deliveryOfTask(db: Db, taskId: string) {
  const [found] = await db
    .select({
      delivery: deliveries,
      destination: destinations,
      md5: documents.md5,
      metadata: documents.metadata,
      family: {
        parentId: documents.parentId,
        rootId: documents.rootId,
        position: documents.position,
      },
      path: documents.path,
      deletedAt: documents.deletedAt,
      needsReview: documents.needsHumanReview,
      documentType: ingestions.documentType,
      structuredData: ingestions.structuredData,
      revision: ingestions.revision,
    })
    .from(deliveries)
    .innerJoin(destinations, eq(destinations.id, deliveries.destinationId))
    .innerJoin(documents, eq(documents.id, deliveries.documentId))
    .innerJoin(ingestions, eq(ingestions.id, deliveries.ingestionId))
    .where(eq(deliveries.taskId, taskId));
  return found;
}

export async function findDelivery(
  db: Db,
  id: string,
  workspaceId?: string,
): Promise<DeliveryView | undefined> {
  const [found] = await selectViews(db, and(eq(deliveries.id, id), inWorkspace(workspaceId)), 1);
  return found;
}

export interface DeliveryListing {
  workspaceId: string | undefined;
  status?: readonly DeliveryStatus[] | undefined;
  documentId?: string | undefined;
  destinationId?: string | undefined;
  outdated?: boolean | undefined;
  before?: string | undefined;
  limit: number;
}

/** Newest first. */
export function listDeliveries(db: Db, listing: DeliveryListing): Promise<DeliveryView[]> {
  const { workspaceId, status, documentId, destinationId, outdated: only, before, limit } = listing;
  const own =
    destinationId === undefined
      ? workspaceRuns(workspaceId, status !== undefined)
      : oneRun('destination_id', destinationId);
  const ids = selectNewest({
    from: sql`deliveries item join documents on documents.id = item.document_id`,
    runs: runsWith('status', status, own),
    where: [
      isNull(documents.deletedAt),
      documentId === undefined ? undefined : sql`item.document_id = ${documentId}`,
      only === undefined ? undefined : sql`${outdated('item')} = ${only}`,
    ],
    before,
    limit,
  });
  return selectViews(db, and(sql`${deliveries.id} = any(${ids})`, inWorkspace(workspaceId)), limit);
}

/** Saves what the stage found. A trigger copies the state of the task. */
export async function updateDelivery(
  tx: Db,
  id: string,
  values: Partial<DeliveryRow>,
): Promise<void> {
  await tx
    .update(deliveries)
    .set({ ...values, updatedAt: sql`now()` })
    .where(eq(deliveries.id, id));
}

export async function endDelivery(
  tx: Db,
  id: string,
  outcome: 'managed' | 'cancelled',
  externalId?: string,
): Promise<void> {
  const values = {
    state: 'ended',
    outcome,
    reference: null,
    enteredAt: null,
    reasonCode: null,
    reason: null,
  } as const;
  await tx
    .update(deliveries)
    .set({ ...values, externalId: externalId ?? null, endedAt: sql`now()`, updatedAt: sql`now()` })
    .where(eq(deliveries.id, id));
}

/**
 * Records the intent before the call that submits a document. Returns false when the lease was
 * lost: then the call must not be made.
 */
export async function markSubmitting(
  db: Db,
  id: string,
  task: { id: string; epoch: number },
  /** Of the values that are submitted. */
  revision = 0,
): Promise<boolean> {
  const marked = await db
    .update(deliveries)
    .set({ submittingAt: sql`now()`, sentRevision: revision })
    .where(
      and(
        eq(deliveries.id, id),
        sql`exists (select from tasks where id = ${task.id} and epoch = ${task.epoch} and state = 'running' and lease_until > now())`,
      ),
    )
    .returning({ id: deliveries.id });
  return marked.length > 0;
}

/** Takes a concurrency slot of a destination; false when running deliveries hold all of them. */
export function enterDestination(
  db: Db,
  { id, destinationId }: DeliveryRow,
  places: number,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx
      .select({ id: destinations.id })
      .from(destinations)
      .where(eq(destinations.id, destinationId))
      .for('update');
    const { rows } = await tx.execute<{ taken: number }>(sql`
      select count(*)::int as taken from deliveries d join tasks t on t.id = d.task_id
       where d.destination_id = ${destinationId} and d.entered_at is not null and d.id <> ${id}
         and t.state = 'running' and t.lease_until > now()`);
    if ((rows[0]?.taken ?? 0) >= places) return false;
    await tx.update(deliveries).set({ enteredAt: sql`now()` }).where(eq(deliveries.id, id));
    return true;
  });
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(deliveries.workspaceId, workspaceId);
}

/** The manager has the result of an earlier run, and the latest run produced another one. */
const outdated = (
  delivery: 'item' | 'deliveries',
) => sql<boolean>`(${sql.identifier(delivery)}.outcome = 'managed' and exists (
  select from ingestions latest join ingestions sent on sent.id = ${sql.identifier(delivery)}.ingestion_id
   where latest.id = ${documents.ingestionId} and latest.status = 'completed'
     and (latest.structured_data is distinct from sent.structured_data
       or (latest.id = sent.id and latest.revision > ${sql.identifier(delivery)}.sent_revision))))`;

function selectViews(db: Db, where: SQL | undefined, limit: number) {
  const { enteredAt, ...columns } = getTableColumns(deliveries);
  return db
    .select({
      ...columns,
      documentName: documents.name,
      destinationName: destinations.name,
      outdated: outdated('deliveries'),
    })
    .from(deliveries)
    .innerJoin(destinations, eq(destinations.id, deliveries.destinationId))
    .innerJoin(documents, eq(documents.id, deliveries.documentId))
    .where(and(isNull(documents.deletedAt), where))
    .orderBy(desc(deliveries.id))
    .limit(limit);
}
