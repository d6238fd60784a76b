import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { type Caller, toCaller } from './api-keys.ts';
import type { Db } from './index.ts';
import { apiKeys } from './schema/api-keys.ts';
import { sessions } from './schema/sessions.ts';
import { workspaces } from './schema/workspaces.ts';

/** Starts a session for a key. The returned token goes to the browser and is not stored. */
export async function startSession(db: Db, keyId: string, lifeMs: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = sql`now() + ${lifeMs} * interval '1 millisecond'`;
  await db.insert(sessions).values({ tokenHash: hash(token), keyId, expiresAt });
  return token;
}

/** The caller of a session; undefined if the session or its key has expired, or the key was revoked. */
export async function callerOfSession(db: Db, token: string): Promise<Caller | undefined> {
  const [row] = await db
    .select({
      id: apiKeys.id,
      role: apiKeys.role,
      workspaceId: apiKeys.workspaceId,
      scopes: apiKeys.scopes,
      requestsPerMinute: apiKeys.requestsPerMinute,
      workspaceLimit: workspaces.requestsPerMinute,
    })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.keyId))
    .leftJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .where(
      and(
        eq(sessions.tokenHash, hash(token)),
        gt(sessions.expiresAt, sql`now()`),
        isNull(apiKeys.revokedAt),
        sql`coalesce(${apiKeys.expiresAt} > now(), true)`,
      ),
    );
  return row && toCaller(row);
}

export async function endSession(db: Db, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, hash(token)));
}

export async function purgeSessions(db: Db): Promise<number> {
  const purged = await db
    .delete(sessions)
    .where(lt(sessions.expiresAt, sql`now()`))
    .returning({ hash: sessions.tokenHash });
  return purged.length;
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
