import type { Batch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { isOutage } from '../../db/outage.ts';
import { startResult } from '../../domain/batch-start.ts';
import type { Admission } from '../../engine/admission/admission.ts';
import type { Announcement } from '../../engine/task/task.ts';
import { batchActions } from './actions.ts';
import { type BatchReference, changeBatch } from './change.ts';

export type Started =
  | { result: ReturnType<typeof startResult>; batch: Batch; hints: Announcement[] }
  | { result: 'database-error'; cause: unknown };

/** Starts a batch under its workspace's lock if its state allows, and returns the result. */
export async function startBatch(
  db: Db,
  reference: BatchReference,
  admission: Admission,
): Promise<Started> {
  let result: ReturnType<typeof startResult> = 'continue';
  try {
    const changed = await changeBatch(db, reference, admission, async (tx, batch) => {
      result = startResult(batch.state);
      if (result === 'continue') await batchActions.start(tx, batch);
    });
    return { ...changed, result };
  } catch (cause) {
    // If only the reply to the commit was lost, the next call reports a duplicate.
    if (isOutage(cause)) return { result: 'database-error', cause };
    throw cause;
  }
}
