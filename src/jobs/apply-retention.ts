import { appendEvent } from '../db/events.ts';
import { moveCursor, readCursor } from '../db/job-cursors.ts';
import {
  deleteDocuments,
  listRetentionRules,
  lockEnded,
  oldestDocuments,
  type Remains,
  type RetentionRule,
} from '../db/retention.ts';
import { isHeld } from '../db/violates.ts';
import { lockWorkspaces } from '../engine/admission/admission.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { describeError } from '../lib/describe-error.ts';
import { MINUTE } from '../lib/time.ts';
import { removeObjects } from '../lifecycle/remove.ts';
import type { Resources } from '../resources.ts';

type Needs = Pick<Resources, 'database' | 'storage' | 'log'>;

/** Documents of a workspace looked at per pass, and removed per transaction. */
const [page, step] = [2000, 200];

/** Removes ended documents that are older than the retention period of their workspace. */
export const applyRetention: IntervalJob = {
  everyMs: 5 * MINUTE,
  async run(context) {
    let removed = 0;
    for (const rule of await listRetentionRules(context.database.db))
      removed += await removeAged(context, rule, page);
    return { removed };
  },
};

/** Looks at the next documents of a workspace, from the oldest on. Returns how many it removed. */
export async function removeAged(
  needs: Needs,
  rule: RetentionRule,
  limit: number,
): Promise<number> {
  const { db } = needs.database;
  const cursor = `retention ${rule.workspaceId}`;
  const aged = await oldestDocuments(db, rule, { after: await readCursor(db, cursor), limit });
  const ids = aged.filter(({ removable }) => removable).map(({ id }) => id);
  let removed = 0;
  for (let from = 0; from < ids.length; from += step)
    removed += await removeStep(needs, rule, ids.slice(from, from + step));
  // Containers go after their entries, and what kept a document may end: so it starts over.
  const atEnd = aged.length < limit || aged.some(({ due }) => !due);
  await moveCursor(db, cursor, atEnd ? '' : (aged.at(-1)?.id ?? ''));
  return removed;
}

async function removeStep(
  { database: { db }, storage, log }: Needs,
  { workspaceId }: RetentionRule,
  ids: string[],
): Promise<number> {
  let remains: Remains[];
  try {
    remains = await db.transaction(async (tx) => {
      const locked = await lockEnded(tx, ids);
      if (locked.length === 0) return [];
      await lockWorkspaces(tx, [workspaceId]);
      const deleted = await deleteDocuments(tx, locked);
      const data = { workspaceId, documents: deleted.length };
      await appendEvent(tx, 'RETENTION_APPLIED', null, data);
      return deleted;
    });
  } catch (error) {
    if (!isHeld(error)) throw error;
    log.info({ workspaceId }, 'a legal hold was set meanwhile; retention skips its documents');
    return 0;
  }
  for (const each of remains)
    await removeObjects(storage, each).catch((error: unknown) =>
      log.warn(
        { reason: describeError(error) },
        'could not remove stored objects; reconcile-storage will',
      ),
    );
  return remains.length;
}
