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

/** Looks at a batch under its workspace's lock and starts it if that is the thing to do. Says what it came to. */
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
    // Where the answer to the commit got lost it was started: the next look finds a duplicate.
    if (isOutage(cause)) return { result: 'database-error', cause };
    throw cause;
  }
}
