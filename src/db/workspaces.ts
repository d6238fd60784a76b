import { eq } from 'drizzle-orm';
import { newId } from '../lib/ids.ts';
import type { Db } from './index.ts';
import { workspaces } from './schema/workspaces.ts';

/** The id of the workspace of this name; it is made when it is not there. */
export async function ensureWorkspace(db: Db, name: string): Promise<string> {
  await db.insert(workspaces).values({ id: newId(), name }).onConflictDoNothing();
  const [found] = await db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.name, name));
  if (!found) throw new Error(`The workspace "${name}" could not be made`);
  return found.id;
}
