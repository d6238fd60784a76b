import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { batchOfEvent, eventScope, settled, workspaceOfEvent } from './events.ts';
import type { Db } from './index.ts';
import { webhookMessages } from './schema/webhook-messages.ts';

export type WebhookMessage = typeof webhookMessages.$inferSelect;

/**
 * One message per endpoint that subscribes to an event. The body is built once, so a retry sends
 * the same bytes.
 */
const intoMessages = sql`
  insert into webhook_messages (id, webhook_id, event_id, type, document_id, traceparent, body)
  select gen_random_uuid(), w.id, b.id, b.type, b.document_id, b.traceparent,
         json_build_object('type', b.type, 'timestamp', b.at, 'data', b.data || jsonb_strip_nulls(jsonb_build_object(
           'documentId', b.document_id, 'workspaceId', b.workspace_id, 'batchId', b.batch_id)))::text
    from batch b join webhooks w on w.state = 'active'
     and (w.workspace_id is null or w.workspace_id::text = b.workspace_id)
     and (w.batch_id is null or w.batch_id::text = b.batch_id)
     and (w.types is null or b.type = any(w.types))`;

const eventColumns = sql`
  e.xid, e.id, e.at, e.type, e.data, coalesce(d.id::text, e.data->>'documentId') as document_id,
  ${workspaceOfEvent} as workspace_id, ${batchOfEvent} as batch_id, i.traceparent`;

/** Reads new events from the log and creates messages. Returns the number of events read. */
export async function makeMessages(db: Db, limit: number): Promise<number> {
  const { rows } = await db.execute<{ read: number }>(sql`
    with place as (select xid, event_id from event_readers where name = 'webhooks' for update),
    batch as materialized (
      select ${eventColumns} ${eventScope}
       where ${settled} and e.xid >= (select xid from place) and (e.xid, e.id) > (select xid, event_id from place)
       order by e.xid, e.id limit ${limit}),
    made as (${intoMessages} where w.created_at <= b.at order by b.xid, b.id on conflict do nothing),
    moved as (
      update event_readers r set xid = l.xid, event_id = l.id
        from (select xid, id from batch order by xid desc, id desc limit 1) l where r.name = 'webhooks')
    select count(*)::int as read from batch`);
  return rows[0]?.read ?? 0;
}

/** Sends the events of a time span again, including delivered ones and those never sent. */
export async function replaySpan(
  db: Db,
  webhookId: string,
  { from, to }: { from: Date; to: Date },
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    with batch as materialized (
      select ${eventColumns} ${eventScope}
       where ${settled} and e.at >= ${from.toISOString()}::timestamptz and e.at < ${to.toISOString()}::timestamptz)
    ${intoMessages} where w.id = ${webhookId} order by b.xid, b.id
    on conflict (webhook_id, event_id) do update
      set state = 'waiting', attempts = 0, not_before = now(), ended_at = null, last_error = null`);
  return rowCount ?? 0;
}

/** Returns false if the endpoint has no such message. */
export async function replayMessage(db: Db, webhookId: string, id: string): Promise<boolean> {
  const again = await db
    .update(webhookMessages)
    .set({ state: 'waiting', attempts: 0, notBefore: sql`now()`, endedAt: null, lastError: null })
    .where(and(eq(webhookMessages.id, id), eq(webhookMessages.webhookId, webhookId)))
    .returning({ id: webhookMessages.id });
  return again.length > 0;
}

export function listMessages(
  db: Db,
  webhookId: string,
  {
    state,
    before,
    limit,
  }: { state: WebhookMessage['state']; before?: string | undefined; limit: number },
): Promise<WebhookMessage[]> {
  const conditions = and(
    eq(webhookMessages.webhookId, webhookId),
    eq(webhookMessages.state, state),
    before === undefined ? undefined : lt(webhookMessages.id, before),
  );
  return db
    .select()
    .from(webhookMessages)
    .where(conditions)
    .orderBy(desc(webhookMessages.id))
    .limit(limit);
}

/** Messages to send now. With `ordered`, a message waits for earlier ones of its document. */
export function dueMessages(
  db: Db,
  webhookId: string,
  ordered: boolean,
  limit: number,
): Promise<WebhookMessage[]> {
  const first = sql`not exists (
    select from webhook_messages p where p.webhook_id = ${webhookMessages.webhookId} and p.state = 'waiting'
       and p.document_id = ${webhookMessages.documentId} and p.position < ${webhookMessages.position})`;
  const due: SQL = sql`${webhookMessages.notBefore} <= now()`;
  return db
    .select()
    .from(webhookMessages)
    .where(
      and(
        eq(webhookMessages.webhookId, webhookId),
        eq(webhookMessages.state, 'waiting'),
        due,
        ordered ? first : undefined,
      ),
    )
    .orderBy(webhookMessages.position)
    .limit(limit);
}

type Result =
  | { state: 'delivered' }
  | { state: 'dead' | 'waiting'; attempts: number; waitMs: number; error: string };

export async function recordResult(db: Db, id: string, result: Result): Promise<void> {
  const values =
    result.state === 'delivered'
      ? { lastError: null, endedAt: sql`now()` }
      : {
          attempts: result.attempts,
          lastError: result.error,
          notBefore: sql`now() + ${result.waitMs} * interval '1 millisecond'`,
          endedAt: result.state === 'dead' ? sql`now()` : null,
        };
  await db
    .update(webhookMessages)
    .set({ state: result.state, ...values })
    .where(and(eq(webhookMessages.id, id), eq(webhookMessages.state, 'waiting')));
}
