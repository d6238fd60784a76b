import { type Batch, findBatch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { type Admission, admitWaiting, lockWorkspaces } from '../../engine/admission/admission.ts';
import { concludeBatch } from '../../engine/admission/batch/conclude.ts';
import { giveTurn } from '../../engine/admission/batch/turn.ts';
import type { Announcement } from '../../engine/task/task.ts';
import { NotFoundError } from '../../errors.ts';

export interface BatchReference {
  id: string;
  /** Restricts the lookup to this workspace; undefined = any. */
  workspaceId?: string | undefined;
}

export interface Changed {
  batch: Batch;
  /** The caller announces them after the commit. */
  hints: Announcement[];
}

/**
 * Changes a batch under its workspace's lock. In the same transaction the batch is concluded if it
 * is over, the turn is passed on, and the window is filled.
 */
export function changeBatch(
  db: Db,
  { id, workspaceId }: BatchReference,
  admission: Admission,
  change: (tx: Db, batch: Batch) => Promise<unknown>,
): Promise<Changed> {
  return db.transaction(async (tx) => {
    const find = async () => {
      const batch = await findBatch(tx, id, workspaceId);
      if (!batch) throw new NotFoundError(`There is no batch ${id}`);
      return batch;
    };
    await lockWorkspaces(tx, [(await find()).workspaceId]);
    // Read again, because the state is reliable only under the lock.
    const batch = await find();
    await change(tx, batch);
    await concludeBatch(tx, id);
    await giveTurn(tx, batch.workspaceId);
    const hints = await admitWaiting(tx, batch.workspaceId, admission);
    return { batch: await find(), hints };
  });
}

/** Assigns a free turn and free slots of a workspace. */
export function fillWorkspace(
  db: Db,
  workspaceId: string,
  admission: Admission,
): Promise<Announcement[]> {
  return db.transaction(async (tx) => {
    await lockWorkspaces(tx, [workspaceId]);
    await giveTurn(tx, workspaceId);
    return admitWaiting(tx, workspaceId, admission);
  });
}
