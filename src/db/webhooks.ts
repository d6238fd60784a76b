import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { newId } from '../lib/ids.ts';
import type { Db } from './index.ts';
import { webhooks } from './schema/webhooks.ts';

export type Webhook = typeof webhooks.$inferSelect;
export type NewWebhook = Pick<
  Webhook,
  'workspaceId' | 'url' | 'types' | 'batchId' | 'ordered' | 'secret'
>;

export async function insertWebhook(db: Db, webhook: NewWebhook): Promise<string> {
  const id = newId();
  await db.insert(webhooks).values({ id, ...webhook });
  return id;
}

export async function findWebhook(
  db: Db,
  id: string,
  workspaceId?: string,
): Promise<Webhook | undefined> {
  const [found] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, id), inWorkspace(workspaceId)));
  return found;
}

export function listWebhooks(
  db: Db,
  {
    workspaceId,
    before,
    limit,
  }: { workspaceId: string | undefined; before?: string | undefined; limit: number },
): Promise<Webhook[]> {
  return db
    .select()
    .from(webhooks)
    .where(
      and(inWorkspace(workspaceId), before === undefined ? undefined : lt(webhooks.id, before)),
    )
    .orderBy(desc(webhooks.id))
    .limit(limit);
}

/** Endpoints with messages to send now. */
export function webhooksWithDueMessages(db: Db): Promise<Webhook[]> {
  return db
    .select()
    .from(webhooks)
    .where(sql`${webhooks.state} = 'active'
    and (${webhooks.pausedUntil} is null or ${webhooks.pausedUntil} <= now())
    and exists (select from webhook_messages m
                 where m.webhook_id = ${webhooks.id} and m.state = 'waiting' and m.not_before <= now())`);
}

export async function pauseWebhook(db: Db, id: string, ms: number): Promise<void> {
  await db
    .update(webhooks)
    .set({ pausedUntil: sql`now() + ${ms} * interval '1 millisecond'` })
    .where(eq(webhooks.id, id));
}

/** Returns false if it was no longer active. */
export async function disableWebhook(db: Db, id: string, reason: string): Promise<boolean> {
  const disabled = await db
    .update(webhooks)
    .set({ state: 'disabled', disabledReason: reason })
    .where(and(eq(webhooks.id, id), eq(webhooks.state, 'active')))
    .returning({ id: webhooks.id });
  return disabled.length > 0;
}

export async function enableWebhook(db: Db, id: string): Promise<void> {
  await db
    .update(webhooks)
    .set({ state: 'active', disabledReason: null, pausedUntil: null })
    .where(eq(webhooks.id, id));
}

/** The current secret becomes the previous one, which keeps signing for `overlapMs`. */
export async function rotateSecret(
  db: Db,
  id: string,
  secret: string,
  overlapMs: number,
): Promise<void> {
  await db
    .update(webhooks)
    .set({
      secret,
      previousSecret: sql`${webhooks.secret}`,
      previousUntil: sql`now() + ${overlapMs} * interval '1 millisecond'`,
    })
    .where(eq(webhooks.id, id));
}

export async function deleteWebhook(db: Db, id: string): Promise<void> {
  await db.delete(webhooks).where(eq(webhooks.id, id));
}

function inWorkspace(workspaceId: string | undefined): SQL | undefined {
  return workspaceId === undefined ? undefined : eq(webhooks.workspaceId, workspaceId);
}
