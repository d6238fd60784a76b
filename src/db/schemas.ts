import { and, asc, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { type KnownType, knownTypes, typeNamed } from '../domain/known-types.ts';
import type { SchemaDefinition } from '../domain/schema/definition.ts';
import { automatic } from '../domain/schema/index.ts';
import { ConflictError, NotFoundError, UnknownTypeError } from '../errors.ts';
import { newId } from '../lib/ids.ts';
import type { Db } from './index.ts';
import { schemas } from './schema/schemas.ts';
import { workspaces } from './schema/workspaces.ts';

export type StoredSchema = typeof schemas.$inferSelect;

/** Limits the work per document, which reads all of them. */
const mostActive = 100;

/** The document types of a workspace. */
export async function listTypes(db: Db, workspaceId: string): Promise<KnownType[]> {
  const own = await db
    .select()
    .from(schemas)
    .where(and(eq(schemas.workspaceId, workspaceId), isNull(schemas.retiredAt)))
    .orderBy(asc(schemas.name));
  return knownTypes(own.map(toDocumentSchema));
}

/** The type that was requested for a document. A type retired since then still applies. */
export async function requireType(db: Db, workspaceId: string, name: string): Promise<KnownType> {
  const known = typeNamed(await listTypes(db, workspaceId), name);
  if (known) return known;
  const last = await findSchema(db, workspaceId, name);
  if (!last) throw new NotFoundError(`There is no document type "${name}"`);
  return { ...toDocumentSchema(last), origin: 'own' };
}

/** A version of a workspace's own schema; by default the newest, active or retired. */
export async function findSchema(
  db: Db,
  workspaceId: string,
  name: string,
  version?: number,
): Promise<StoredSchema | undefined> {
  const [found] = await db
    .select()
    .from(schemas)
    .where(
      and(
        named(workspaceId, name),
        version === undefined ? undefined : eq(schemas.version, version),
      ),
    )
    .orderBy(desc(schemas.version))
    .limit(1);
  return found;
}

/** Makes a definition the active version. Changes nothing if it already is. */
export function putSchema(
  db: Db,
  workspaceId: string,
  name: string,
  definition: SchemaDefinition,
): Promise<{ schema: StoredSchema; changed: boolean }> {
  return db.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const newest = await findSchema(tx, workspaceId, name);
    const active = newest?.retiredAt === null ? newest : undefined;
    if (active && JSON.stringify(active.definition) === JSON.stringify(definition))
      return { schema: active, changed: false };
    if (active) await retireSchema(tx, workspaceId, name);
    else await assertRoom(tx, workspaceId);
    const version = (newest?.version ?? 0) + 1;
    const [schema] = await tx
      .insert(schemas)
      .values({ id: newId(), workspaceId, name, version, definition })
      .returning();
    if (!schema) throw new Error('The schema was not written');
    return { schema, changed: true };
  });
}

/** Returns false if no schema of this name was active. */
export async function retireSchema(db: Db, workspaceId: string, name: string): Promise<boolean> {
  const retired = await db
    .update(schemas)
    .set({ retiredAt: sql`now()` })
    .where(and(named(workspaceId, name), isNull(schemas.retiredAt)))
    .returning({ id: schemas.id });
  return retired.length > 0;
}

/** Concurrent changes would assign the same version. */
async function lockWorkspace(tx: Db, id: string): Promise<void> {
  const [found] = await tx
    .select()
    .from(workspaces)
    .where(eq(workspaces.id, id))
    .for('no key update');
  if (!found) throw new NotFoundError(`There is no workspace ${id}`);
}

async function assertRoom(tx: Db, workspaceId: string): Promise<void> {
  const [found] = await tx
    .select({ active: count() })
    .from(schemas)
    .where(and(eq(schemas.workspaceId, workspaceId), isNull(schemas.retiredAt)));
  if ((found?.active ?? 0) >= mostActive)
    throw new ConflictError(
      `The workspace has ${mostActive} schemas, the maximum. Retire one first.`,
    );
}

function named(workspaceId: string, name: string) {
  return and(eq(schemas.workspaceId, workspaceId), eq(schemas.name, name));
}

function toDocumentSchema({ name, version, definition }: StoredSchema) {
  return { name, version, ...definition };
}

/** Throws if the workspace does not have this document type. */
export async function assertType(
  db: Db,
  workspaceId: string,
  type: string | undefined,
): Promise<void> {
  if (type === undefined || type === automatic) return;
  const names = (await listTypes(db, workspaceId)).map(({ name }) => name);
  if (!names.includes(type))
    throw new UnknownTypeError(
      `There is no document type "${type}".`,
      `Choose from ${names.join(', ')}, or ${automatic} for automatic detection.`,
    );
}
