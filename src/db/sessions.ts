import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Caller } from './api-keys.ts';
import type { Db } from './index.ts';
import { apiKeys } from './schema/api-keys.ts';
import { sessions } from './schema/sessions.ts';

/** Starts a session for a key. The returned token goes to the browser and is not stored. */
export async function startSession(db: Db, keyId: string, lifeMs: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = sql`now() + ${lifeMs} * interval '1 millisecond'`;
  await db.insert(sessions).values({ tokenHash: hash(token), keyId, expiresAt });
  return token;
}

/** The caller of a session; undefined if the session has expired or its key was revoked. */
export async function callerOfSession(db: Db, token: string): Promise<Caller | undefined> {
  const [row] = await db
    .select({ keyId: apiKeys.id, role: apiKeys.role, workspaceId: apiKeys.workspaceId })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.keyId))
    .where(
      and(
        eq(sessions.tokenHash, hash(token)),
        gt(sessions.expiresAt, sql`now()`),
        isNull(apiKeys.revokedAt),
      ),
    );
  return row && { ...row, workspaceId: row.workspaceId ?? undefined };
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
