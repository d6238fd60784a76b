import { eq } from 'drizzle-orm';
import type { Db } from './index.ts';
import { jobCursors } from './schema/job-cursors.ts';

/** The stored position of a cursor; empty before the first step. */
export async function readCursor(db: Db, name: string): Promise<string> {
  const [found] = await db.select().from(jobCursors).where(eq(jobCursors.name, name));
  return found?.position ?? '';
}

export async function moveCursor(db: Db, name: string, position: string): Promise<void> {
  await db
    .insert(jobCursors)
    .values({ name, position })
    .onConflictDoUpdate({ target: jobCursors.name, set: { position } });
}
