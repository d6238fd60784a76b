import { lockDocument } from '../db/documents.ts';
import type { Db } from '../db/index.ts';
import { replayDelivery } from '../deliveries/replay.ts';
import type { Admission } from '../engine/admission/admission.ts';
import {
  closeDeadLetterOfTask,
  type DeadLetter,
  findDeadLetter,
  lockDeadLetter,
} from '../engine/dead-letters/index.ts';
import { insertTask } from '../engine/task/effects.ts';
import type { Announcement } from '../engine/task/task.ts';
import { NotFoundError } from '../errors.ts';
import type { Run } from '../intake/admit.ts';
import { reprocess } from './reprocess.ts';

/** The result of a replay request. In all cases but the first nothing was done. */
export type ReplayOutcome =
  | 'replayed'
  | 'already-replayed'
  | 'discarded'
  | 'under-way'
  | 'succeeded-since';

export interface Replay {
  letter: DeadLetter;
  outcome: ReplayOutcome;
  /** The caller announces them after the commit. */
  hints: Announcement[];
}

const closed = { replayed: 'already-replayed', discarded: 'discarded' } as const;
const answered = { 'in-progress': 'under-way', completed: 'succeeded-since' } as const;

/**
 * Starts another run of the document of a dead letter, or of its delivery if only that failed,
 * unless this was already done or is no longer needed.
 */
export function replay(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string | undefined },
  admission: Admission,
  run: Run = {},
): Promise<Replay> {
  return db.transaction(async (tx) => {
    const find = async () => {
      const letter = await findDeadLetter(tx, id, workspaceId);
      if (!letter) throw new NotFoundError(`There is no dead letter ${id}`);
      return letter;
    };
    const { documentId } = await find();
    if (documentId === null) return replayTask(tx, id, find, admission);
    const document = await lockDocument(tx, documentId);
    // Read again, because the state is reliable only under the lock.
    const letter = await find();
    if (letter.state !== 'open') return { letter, outcome: closed[letter.state], hints: [] };
    const delivery = await replayDelivery(tx, letter, admission);
    if (delivery) return { letter: await find(), outcome: 'replayed', hints: [delivery] };
    if (document?.status === 'in-progress' || document?.status === 'completed')
      return { letter, outcome: answered[document.status], hints: [] };
    const { hints } = await reprocess(tx, documentId, admission, run);
    return { letter: await find(), outcome: 'replayed', hints };
  });
}

/** The subject is not a document: its task starts again where it ended. */
async function replayTask(
  tx: Db,
  id: string,
  find: () => Promise<DeadLetter>,
  { giveUpMs }: Admission,
): Promise<Replay> {
  await lockDeadLetter(tx, id);
  const letter = await find();
  if (letter.state !== 'open') return { letter, outcome: closed[letter.state], hints: [] };
  const { taskId, stage, subject, workspaceId } = letter;
  const hint = await insertTask(tx, { subject: { ...subject, workspaceId }, stage, giveUpMs });
  await closeDeadLetterOfTask(tx, taskId, hint.taskId);
  return { letter: await find(), outcome: 'replayed', hints: [hint] };
}
