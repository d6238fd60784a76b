import { and, eq } from 'drizzle-orm';
import type { Batch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { batches } from '../../db/schema/batches.ts';
import { workspaces } from '../../db/schema/workspaces.ts';
import { assertType } from '../../db/schemas.ts';
import type { BatchType } from '../../domain/batch.ts';
import { lockWorkspaces } from '../../engine/admission/admission.ts';
import { recordBatchEvent } from '../../engine/admission/batch/events.ts';
import { IdempotencyKeyReusedError, NotFoundError } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';

export interface NewBatch {
  workspaceId: string;
  name: string;
  type: BatchType;
  /** Default: that of the workspace. */
  priority?: number | undefined;
  maxRedrives?: number | undefined;
  /** The type of all its documents. Default: detected for each. */
  documentType?: string | undefined;
  /** Read its documents without OCR. */
  noOcr?: boolean | undefined;
  /** Cost ceiling in millionths of a dollar. Default: unlimited. */
  maxCostMicros?: number | null | undefined;
  /** A repeated request with the same key returns the same batch. */
  idempotencyKey?: string | undefined;
}

export function createBatch(db: Db, batch: NewBatch): Promise<{ batch: Batch; created: boolean }> {
  const {
    workspaceId,
    name,
    type,
    priority,
    maxRedrives,
    documentType,
    noOcr,
    maxCostMicros,
    idempotencyKey,
  } = batch;
  return db.transaction(async (tx) => {
    await lockWorkspaces(tx, [workspaceId]);
    const existing = idempotencyKey && (await findNamed(tx, workspaceId, idempotencyKey));
    if (existing && (existing.name !== name || existing.type !== type))
      throw new IdempotencyKeyReusedError('batch');
    if (existing) return { batch: existing, created: false };
    const [workspace] = await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId));
    if (!workspace) throw new NotFoundError(`There is no workspace ${workspaceId}`);
    await assertType(tx, workspaceId, documentType);
    const [created] = await tx
      .insert(batches)
      .values({
        id: newId(),
        workspaceId,
        name,
        type,
        idempotencyKey,
        documentType,
        noOcr,
        maxCostMicros,
        priority: priority ?? workspace.defaultPriority,
        ...(maxRedrives !== undefined && { maxRedrives }),
      })
      .returning();
    if (!created) throw new Error('The batch was not inserted');
    await recordBatchEvent(tx, created.id, 'BATCH_CREATED', {
      name,
      type,
      priority: created.priority,
    });
    return { batch: created, created: true };
  });
}

async function findNamed(
  tx: Db,
  workspaceId: string,
  idempotencyKey: string,
): Promise<Batch | undefined> {
  const [found] = await tx
    .select()
    .from(batches)
    .where(and(eq(batches.workspaceId, workspaceId), eq(batches.idempotencyKey, idempotencyKey)));
  return found;
}
