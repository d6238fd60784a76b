import { lockDocument } from '../db/documents.ts';
import type { Db } from '../db/index.ts';
import { replayDelivery } from '../deliveries/replay.ts';
import type { Admission } from '../engine/admission.ts';
import { type DeadLetter, findDeadLetter } from '../engine/dead-letters.ts';
import type { Announcement } from '../engine/task.ts';
import { NotFoundError } from '../errors.ts';
import { reprocess } from './reprocess.ts';

export interface Replay {
  letter: DeadLetter;
  /** To be announced after the commit; undefined when the letter was closed already and nothing was done. */
  hints: Announcement[] | undefined;
}

/** Gives the document of a dead letter another run, or its delivery where only that has failed. A letter is replayed once. */
export function replay(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string | undefined },
  admission: Admission,
): Promise<Replay> {
  return db.transaction(async (tx) => {
    const find = async () => {
      const letter = await findDeadLetter(tx, id, workspaceId);
      if (!letter) throw new NotFoundError(`There is no dead letter ${id}`);
      return letter;
    };
    const { documentId } = await find();
    await lockDocument(tx, documentId);
    // Only under the lock its state is certain.
    const letter = await find();
    if (letter.state !== 'open') return { letter, hints: undefined };
    const delivery = await replayDelivery(tx, letter, admission);
    const hints = delivery ? [delivery] : (await reprocess(tx, documentId, admission)).hints;
    return { letter: await find(), hints };
  });
}
