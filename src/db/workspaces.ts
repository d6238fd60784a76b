import { asc, eq, gt } from 'drizzle-orm';
import { ConflictError } from '../errors.ts';
import { newId } from '../lib/ids.ts';
import type { Db } from './index.ts';
import { workspaces } from './schema/workspaces.ts';
import { violates } from './violates.ts';

export type Workspace = typeof workspaces.$inferSelect;

export interface WorkspaceSettings {
  name?: string | undefined;
  /** Maximum number of documents in progress. */
  maxInFlight?: number | undefined;
  /** Priority of batches that set none; lower goes first. */
  defaultPriority?: number | undefined;
  /** Daily budget in millionths of a dollar; null = the budget of the deployment. */
  dailyBudgetMicros?: number | null | undefined;
  /** Ended documents are removed after this many days; null = never. */
  retentionDays?: number | null | undefined;
  /** Requests of its keys together; null = unlimited. */
  requestsPerMinute?: number | null | undefined;
  /** Null = unlimited. */
  storageQuotaBytes?: number | null | undefined;
}

/** The id of the workspace with this name, created if missing. */
export async function ensureWorkspace(db: Db, name: string): Promise<string> {
  await db.insert(workspaces).values({ id: newId(), name }).onConflictDoNothing();
  const [found] = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(eq(workspaces.name, name));
  if (!found) throw new Error(`The workspace "${name}" could not be created`);
  return found.id;
}

export async function createWorkspace(
  db: Db,
  settings: WorkspaceSettings & { name: string },
): Promise<Workspace> {
  const [made] = await db
    .insert(workspaces)
    .values({ id: newId(), ...given(settings), name: settings.name })
    .onConflictDoNothing({ target: workspaces.name })
    .returning();
  if (!made) throw nameTaken(settings.name);
  return made;
}

/** Returns undefined if the workspace does not exist. */
export async function updateWorkspace(
  db: Db,
  id: string,
  settings: WorkspaceSettings,
): Promise<Workspace | undefined> {
  const changes = given(settings);
  if (Object.keys(changes).length === 0) return findWorkspace(db, id);
  try {
    const [updated] = await db
      .update(workspaces)
      .set(changes)
      .where(eq(workspaces.id, id))
      .returning();
    return updated;
  } catch (error) {
    throw violates(error, 'workspaces_name_unique') ? nameTaken(settings.name ?? '') : error;
  }
}

export async function findWorkspace(db: Db, id: string): Promise<Workspace | undefined> {
  const [found] = await db.select().from(workspaces).where(eq(workspaces.id, id));
  return found;
}

/** Oldest first. */
export function listWorkspaces(
  db: Db,
  { after, limit }: { after?: string | undefined; limit: number },
) {
  return db
    .select()
    .from(workspaces)
    .where(after ? gt(workspaces.id, after) : undefined)
    .orderBy(asc(workspaces.id))
    .limit(limit);
}

function given(settings: WorkspaceSettings): Partial<Workspace> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function nameTaken(name: string): ConflictError {
  return new ConflictError(`A workspace named "${name}" already exists.`);
}
