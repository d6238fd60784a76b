import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { apiKeyPattern } from '../domain/api-key.ts';
import type { Scope } from '../domain/scope.ts';
import { batchCalls } from '../lib/batch-calls.ts';
import { type Db, run } from './index.ts';
import { apiKeys } from './schema/api-keys.ts';

export type Role = (typeof apiKeys.$inferSelect)['role'];

export interface Caller {
  keyId: string;
  role: Role;
  /** The only workspace this caller can see; undefined = all. */
  workspaceId: string | undefined;
  /** What the key is restricted to; null = all that its role may do. */
  scopes: readonly Scope[] | null;
  /** Requests per minute; null = the limit of the deployment, or none for a workspace. */
  limits: { key: number | null; workspace: number | null };
}

export interface NewKey {
  name: string;
  role: Role;
  workspaceId?: string | undefined;
  scopes?: readonly Scope[] | undefined;
  requestsPerMinute?: number | undefined;
  expiresAt?: Date | undefined;
}

export function newKeyText(): string {
  return `mr_${randomBytes(6).toString('hex')}_${randomBytes(32).toString('base64url')}`;
}

export function isKeyText(text: string): boolean {
  return apiKeyPattern.test(text);
}

/** Stores the hash of a key's secret. Storing the same key again changes nothing. */
export async function storeKey(
  db: Db,
  text: string,
  { name, role, workspaceId, scopes, requestsPerMinute, expiresAt }: NewKey,
): Promise<void> {
  const [, id, secret] = apiKeyPattern.exec(text) ?? [];
  if (!id || !secret)
    throw new Error('An API key looks like mr_<12 hex digits>_<at least 32 characters>');
  const row = {
    id,
    name,
    role,
    workspaceId: workspaceId ?? null,
    scopes: scopes ? [...scopes] : null,
    requestsPerMinute: requestsPerMinute ?? null,
    expiresAt: expiresAt ?? null,
    secretHash: hash(secret).toString('hex'),
  };
  await db
    .insert(apiKeys)
    .values(row)
    .onConflictDoUpdate({ target: apiKeys.id, set: { secretHash: row.secretHash } });
}

/** Undefined = no such key, another secret, or revoked. */
export type FoundCaller = Caller | 'expired' | undefined;

/** Returns a function that finds the caller of a key. Concurrent lookups are batched. */
export function callerFinder(db: Db): (text: string) => Promise<FoundCaller> {
  const keyOf = batchCalls(
    async (ids: string[]) => {
      const { rows } = await run<ActiveKey>(db, activeKeys, [ids]);
      return ids.map((id) => rows.find((key) => key.id === id));
    },
    // One at a time: a lookup costs nearly the same for any number of keys.
    { most: 100, inFlight: 1 },
  );
  return async (text) => {
    const [, id, secret] = apiKeyPattern.exec(text) ?? [];
    if (!id || !secret) return undefined;
    const row = await keyOf(id);
    if (!row || !timingSafeEqual(hash(secret), Buffer.from(row.secretHash, 'hex')))
      return undefined;
    if (row.isExpired) return 'expired';
    if (row.isUnnoticed) await noteUse(db, row.id);
    return toCaller(row);
  };
}

interface ActiveKey extends CallerRow {
  secretHash: string;
  isExpired: boolean;
  /** Whether its use in this minute is not recorded yet. */
  isUnnoticed: boolean;
}

const activeKeys = {
  name: 'keys-in-force',
  text: `
    select k.id, k.role, k.workspace_id as "workspaceId", k.secret_hash as "secretHash", k.scopes,
           k.requests_per_minute as "requestsPerMinute", w.requests_per_minute as "workspaceLimit",
           coalesce(k.expires_at <= now(), false) as "isExpired",
           coalesce(k.last_used_at < now() - interval '1 minute', true) as "isUnnoticed"
      from api_keys k left join workspaces w on w.id = k.workspace_id
     where k.id = any($1) and k.revoked_at is null`,
};

/** Once per minute and key, whatever the number of processes. */
async function noteUse(db: Db, id: string): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(apiKeys.id, id),
        sql`coalesce(${apiKeys.lastUsedAt} < now() - interval '1 minute', true)`,
      ),
    );
}

export type CallerRow = Pick<
  typeof apiKeys.$inferSelect,
  'id' | 'role' | 'workspaceId' | 'scopes' | 'requestsPerMinute'
> & { workspaceLimit: number | null };

export function toCaller(row: CallerRow): Caller {
  return {
    keyId: row.id,
    role: row.role,
    workspaceId: row.workspaceId ?? undefined,
    scopes: row.scopes,
    limits: { key: row.requestsPerMinute, workspace: row.workspaceLimit },
  };
}

/** All keys without their secrets, oldest first, including revoked ones. */
export function listKeys(db: Db, workspaceId?: string) {
  return db
    .select(publicColumns)
    .from(apiKeys)
    .where(workspaceId === undefined ? undefined : eq(apiKeys.workspaceId, workspaceId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
}

export async function findKey(db: Db, id: string) {
  const [found] = await db.select(publicColumns).from(apiKeys).where(eq(apiKeys.id, id));
  return found;
}

/** Returns false if there is no active key with this id. */
export async function revokeKey(db: Db, id: string): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return revoked.length > 0;
}

const publicColumns = {
  id: apiKeys.id,
  name: apiKeys.name,
  role: apiKeys.role,
  workspaceId: apiKeys.workspaceId,
  scopes: apiKeys.scopes,
  requestsPerMinute: apiKeys.requestsPerMinute,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
};

/** The public part of a key. */
export function parseKeyId(text: string): string {
  const [, id] = apiKeyPattern.exec(text) ?? [];
  if (!id) throw new Error('Not an API key');
  return id;
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
