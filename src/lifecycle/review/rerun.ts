import type { Db } from '../../db/index.ts';
import type { ReviewAction } from '../../domain/review.ts';
import type { Run } from '../../intake/admit.ts';
import type { IntakeSettings } from '../../intake/intake.ts';
import { reprocess } from '../reprocess.ts';
import { lockReviewed, recordAction } from './reviewed.ts';

export interface Rerun {
  documentId: string;
  actor: string;
  action: Extract<ReviewAction, 'reclassified' | 'reread'>;
  run: Run;
}

/** Runs a document again as a reviewer asks. The new run withdraws the review, or opens it again. */
export async function rerun(
  db: Db,
  intake: IntakeSettings,
  { documentId, actor, action, run }: Rerun,
) {
  await db.transaction(async (tx) => {
    const current = await lockReviewed(tx, documentId);
    const { revision } = current;
    const reason = JSON.stringify(run.overrides ?? {});
    await recordAction(tx, current, { action, actor, revision, reason });
  });
  const { ingestionId, hints } = await reprocess(db, documentId, intake, run);
  await intake.announce(hints);
  return { ingestionId };
}
