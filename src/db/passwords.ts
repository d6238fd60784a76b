import { and, asc, desc, eq, lt } from 'drizzle-orm';
import { newId } from '../lib/ids.ts';
import type { Db } from './index.ts';
import { passwords } from './schema/passwords.ts';

const shown = {
  id: passwords.id,
  workspaceId: passwords.workspaceId,
  label: passwords.label,
  createdAt: passwords.createdAt,
};
export type PasswordView = Pick<typeof passwords.$inferSelect, keyof typeof shown>;

/** Undefined if the workspace has a password with this label. */
export async function insertPassword(
  db: Db,
  password: { workspaceId: string; label: string; sealed: string },
): Promise<PasswordView | undefined> {
  const [made] = await db
    .insert(passwords)
    .values({ id: newId(), ...password })
    .onConflictDoNothing()
    .returning(shown);
  return made;
}

/** Newest first, without the passwords. */
export function listPasswords(
  db: Db,
  {
    workspaceId,
    before,
    limit,
  }: { workspaceId?: string | undefined; before?: string | undefined; limit: number },
): Promise<PasswordView[]> {
  return db
    .select(shown)
    .from(passwords)
    .where(
      and(
        workspaceId === undefined ? undefined : eq(passwords.workspaceId, workspaceId),
        before === undefined ? undefined : lt(passwords.id, before),
      ),
    )
    .orderBy(desc(passwords.id))
    .limit(limit);
}

/** False if there is none in this workspace. */
export async function deletePassword(db: Db, id: string, workspaceId?: string): Promise<boolean> {
  const own = workspaceId === undefined ? undefined : eq(passwords.workspaceId, workspaceId);
  const deleted = await db
    .delete(passwords)
    .where(and(eq(passwords.id, id), own))
    .returning({ id: passwords.id });
  return deleted.length > 0;
}

/** More would keep a worker busy for too long with one file. */
const mostTried = 1000;

/** The sealed passwords of a workspace, oldest first. */
export function readBank(
  db: Db,
  workspaceId: string,
): Promise<{ label: string; sealed: string }[]> {
  return db
    .select({ label: passwords.label, sealed: passwords.sealed })
    .from(passwords)
    .where(eq(passwords.workspaceId, workspaceId))
    .orderBy(asc(passwords.id))
    .limit(mostTried);
}
