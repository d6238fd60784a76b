import { eq } from 'drizzle-orm';
import { appendEvent } from '../db/events.ts';
import { readBank } from '../db/passwords.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { PermanentError } from '../errors.ts';
import { openPassword } from './chosen-engine.ts';

/**
 * Opens a file that may be encrypted: first with the password of this run or without one, then with
 * each password of the workspace. An attempt reports a wrong password with PASSWORD_PROTECTED; any
 * other error ends the attempts.
 */
export async function tryPasswords<T>(
  document: StageDocument,
  context: StageContext,
  attempt: (password: string | undefined) => Promise<T>,
): Promise<T> {
  const { database, seal } = context;
  try {
    return await attempt(openPassword(document, context));
  } catch (error) {
    if (!isLocked(error)) throw error;
    for (const { label, sealed } of await readBank(database.db, document.workspaceId)) {
      try {
        const result = await attempt(seal.open(sealed));
        await keep(document, context, { label, sealed });
        return result;
      } catch (refused) {
        if (!isLocked(refused)) throw refused;
      }
    }
    throw error;
  }
}

export function isLocked(error: unknown): boolean {
  return error instanceof PermanentError && error.code === 'PASSWORD_PROTECTED';
}

/** What else reads the document needs the password, too. It is forgotten when the run ends. */
async function keep(
  { id: documentId, ingestion }: StageDocument,
  { database }: StageContext,
  { label, sealed }: { label: string; sealed: string },
): Promise<void> {
  const { id } = ingestion;
  ingestion.sealedPassword = sealed;
  await database.db.transaction(async (tx) => {
    await tx.update(ingestions).set({ sealedPassword: sealed }).where(eq(ingestions.id, id));
    await appendEvent(tx, 'PASSWORD_ACCEPTED', id, { documentId, label });
  });
}
