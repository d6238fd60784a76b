import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { newId } from '../lib/ids.ts';
import type { Db } from './index.ts';
import { destinations } from './schema/destinations.ts';

export type DestinationRow = typeof destinations.$inferSelect;
export type NewDestination = Pick<
  DestinationRow,
  | 'workspaceId'
  | 'name'
  | 'kind'
  | 'settings'
  | 'secret'
  | 'enabled'
  | 'deliverDoubtful'
  | 'maxConcurrent'
  | 'holdMs'
>;

export async function insertDestination(db: Db, destination: NewDestination): Promise<string> {
  const id = newId();
  await db.insert(destinations).values({ id, ...destination });
  return id;
}

export async function updateDestination(
  db: Db,
  id: string,
  changes: Partial<NewDestination>,
): Promise<void> {
  await db.update(destinations).set(changes).where(eq(destinations.id, id));
}

/** Stops new deliveries. Records of past ones are kept. */
export async function deleteDestination(db: Db, id: string): Promise<void> {
  await db
    .update(destinations)
    .set({ deletedAt: sql`now()`, enabled: false })
    .where(eq(destinations.id, id));
}

export async function findDestination(
  db: Db,
  id: string,
  workspaceId?: string,
): Promise<DestinationRow | undefined> {
  const [found] = await db
    .select()
    .from(destinations)
    .where(and(eq(destinations.id, id), isNull(destinations.deletedAt), inWorkspace(workspaceId)));
  return found;
}

export function listDestinations(
  db: Db,
  {
    workspaceId,
    before,
    limit,
  }: { workspaceId: string | undefined; before?: string | undefined; limit: number },
): Promise<DestinationRow[]> {
  return db
    .select()
    .from(destinations)
    .where(
      and(
        isNull(destinations.deletedAt),
        inWorkspace(workspaceId),
        before === undefined ? undefined : lt(destinations.id, before),
      ),
    )
    .orderBy(desc(destinations.id))
    .limit(limit);
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(destinations.workspaceId, workspaceId);
}
