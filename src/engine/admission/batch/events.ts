import type { Db } from '../../../db/index.ts';
import { events } from '../../../db/schema/events.ts';

/** Events about a batch as a whole. */
export type BatchEvent =
  | 'JOB_QUEUED'
  | 'JOB_STARTED'
  | 'JOB_FINISHED'
  | 'BATCH_CREATED'
  | 'BATCH_FINISHED_FILLING'
  | 'BATCH_PAUSED'
  | 'BATCH_RELEASED'
  | 'BATCH_PRIORITY_CHANGED'
  | 'BATCH_LIMIT_CHANGED'
  | 'BATCH_PROGRESS'
  | 'BATCH_RECOUNTED'
  | 'BATCH_REDRIVE'
  | 'BATCH_UNBALANCED'
  | 'BATCH_END_START'
  | 'BATCH_END_FINISHED'
  | 'LOADER_FINISHED'
  | 'ITEM_NOT_TAKEN'
  | 'IMPORT_CANCELLED';

export async function recordBatchEvent(
  tx: Db,
  batchId: string,
  type: BatchEvent,
  data: Record<string, unknown> = {},
): Promise<void> {
  await tx.insert(events).values({ type, batchId, data: { batchId, ...data } });
}
