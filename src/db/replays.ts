import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { newId } from '../lib/ids.ts';
import type { Db } from './index.ts';
import { replays } from './schema/replays.ts';

export type ReplayRow = typeof replays.$inferSelect;
export type NewReplay = Pick<
  ReplayRow,
  | 'workspaceId'
  | 'filters'
  | 'overrides'
  | 'sealedPassword'
  | 'rate'
  | 'total'
  | 'more'
  | 'outcomes'
>;

export async function insertReplay(db: Db, replay: NewReplay): Promise<string> {
  const id = newId();
  await db.insert(replays).values({ id, ...replay });
  return id;
}

export async function findReplay(
  db: Db,
  id: string,
  workspaceId?: string,
): Promise<ReplayRow | undefined> {
  const [found] = await db
    .select()
    .from(replays)
    .where(and(eq(replays.id, id), inWorkspace(workspaceId)));
  return found;
}

/** Newest first. */
export function listReplays(
  db: Db,
  {
    workspaceId,
    before,
    limit,
  }: { workspaceId: string | undefined; before?: string | undefined; limit: number },
): Promise<ReplayRow[]> {
  return db
    .select()
    .from(replays)
    .where(and(inWorkspace(workspaceId), before === undefined ? undefined : lt(replays.id, before)))
    .orderBy(desc(replays.id))
    .limit(limit);
}

export async function runningReplays(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: replays.id })
    .from(replays)
    .where(eq(replays.state, 'running'))
    .orderBy(asc(replays.createdAt));
  return rows.map(({ id }) => id);
}

/** Dead letters that running replays have not handled yet. */
export async function lettersToReplay(db: Db): Promise<number> {
  const [row] = await db
    .select({ left: sql<number>`coalesce(sum(${replays.total} - ${replays.handled}), 0)::int` })
    .from(replays)
    .where(eq(replays.state, 'running'));
  return row?.left ?? 0;
}

/** A running replay and its age, locked until the transaction ends. */
export async function lockReplay(tx: Db, id: string) {
  const [found] = await tx
    .select({
      replay: replays,
      ageMs: sql<number>`extract(epoch from now() - ${replays.createdAt})::float8 * 1000`,
    })
    .from(replays)
    .where(and(eq(replays.id, id), eq(replays.state, 'running')))
    .for('no key update');
  return found;
}

export async function moveReplay(
  tx: Db,
  id: string,
  to: Pick<ReplayRow, 'position' | 'handled' | 'outcomes' | 'reasons'>,
): Promise<void> {
  await tx.update(replays).set(to).where(eq(replays.id, id));
}

/** Returns false if it had already ended. */
export async function endReplay(db: Db, id: string, state: 'done' | 'cancelled'): Promise<boolean> {
  const ended = await db
    .update(replays)
    .set({ state, finishedAt: sql`now()`, sealedPassword: null })
    .where(and(eq(replays.id, id), eq(replays.state, 'running')))
    .returning({ id: replays.id });
  return ended.length > 0;
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(replays.workspaceId, workspaceId);
}
