import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from './index.ts';
import { apiKeys } from './schema/api-keys.ts';

export type Role = (typeof apiKeys.$inferSelect)['role'];

export interface Caller {
  keyId: string;
  role: Role;
  /** The one workspace this caller sees; undefined = all. */
  workspaceId: string | undefined;
}

export interface NewKey {
  name: string;
  role: Role;
  workspaceId?: string | undefined;
}

const pattern = /^mr_([0-9a-f]{12})_([A-Za-z0-9_-]{32,})$/;

/** `mr_<key id>_<secret>`: the id finds the row, the secret proves it. */
export function newKeyText(): string {
  return `mr_${randomBytes(6).toString('hex')}_${randomBytes(32).toString('base64url')}`;
}

export function isKeyText(text: string): boolean {
  return pattern.test(text);
}

/** Keeps the hash of a key's secret. Storing the same key again changes nothing. */
export async function storeKey(db: Db, text: string, { name, role, workspaceId }: NewKey): Promise<void> {
  const [, id, secret] = pattern.exec(text) ?? [];
  if (!id || !secret) throw new Error('An API key looks like mr_<12 hex digits>_<at least 32 characters>');
  const row = { id, name, role, workspaceId: workspaceId ?? null, secretHash: hash(secret).toString('hex') };
  await db
    .insert(apiKeys)
    .values(row)
    .onConflictDoUpdate({ target: apiKeys.id, set: { secretHash: row.secretHash } });
}

export async function findCaller(db: Db, text: string): Promise<Caller | undefined> {
  const [, id, secret] = pattern.exec(text) ?? [];
  if (!id || !secret) return undefined;
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
  if (!row || !timingSafeEqual(hash(secret), Buffer.from(row.secretHash, 'hex'))) return undefined;
  return { keyId: row.id, role: row.role, workspaceId: row.workspaceId ?? undefined };
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
