import type { Batch } from '../../db/batches.ts';
import { moveBatch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { retryableLetters } from '../../engine/admission/batch/retryable-letters.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Intake } from '../../intake/intake.ts';
import { replay } from '../replay.ts';
import { changeBatch } from './change.ts';

type Needs = Pick<Intake, 'first' | 'giveUpMs' | 'announce'>;

const page = 100;

/**
 * One redrive pass over the dead letters of a batch. Each letter is replayed in its own
 * transaction, so an interrupted pass continues where it stopped. The batch cannot end before the
 * pass, because it becomes active again only then.
 */
export async function redriveBatch(db: Db, { id }: Batch, intake: Needs): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const letters = await retryableLetters(db, id, { limit: page, ofPass: true, after });
    for (const letter of letters) {
      await send(db, letter.id, intake);
      after = letter.ingestionId;
    }
    if (letters.length < page) break;
  }
  const { hints } = await changeBatch(db, { id }, intake, async (tx, batch) => {
    if (batch.state === 'redriving') await moveBatch(tx, batch, 'endRedrive');
  });
  await intake.announce(hints);
}

/** Ignores letters that were replayed, discarded or removed in the meantime. */
async function send(db: Db, letterId: string, intake: Needs): Promise<void> {
  try {
    const { hints } = await replay(db, { id: letterId, workspaceId: undefined }, intake);
    await intake.announce(hints);
  } catch (error) {
    if (!(error instanceof ConflictError || error instanceof NotFoundError)) throw error;
  }
}
