import type pg from 'pg';
import { purgeAudit } from '../db/audit.ts';
import { inTransaction } from '../db/index.ts';
import { moveCursor } from '../db/job-cursors.ts';
import { isPassing } from '../db/outage.ts';
import { timeBefore } from '../db/stored-objects.ts';
import { eventsPurged } from '../engine/invariants.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { HOUR } from '../lib/time.ts';

/** Deletes events, delivered webhook messages and audit entries past their retention period. */
export const purgeHistory: IntervalJob = {
  everyMs: 1 * HOUR,
  async run({ database: { db, pool }, keepHistoryMs, keepAuditMs }) {
    // Recorded first: a check must not miss events that are about to go.
    await moveCursor(db, eventsPurged, (await timeBefore(db, keepHistoryMs)).toISOString());
    return {
      days: await dropOldEvents(pool, keepHistoryMs),
      events: await purge(pool, 'unpartitioned', keepHistoryMs),
      messages: await purge(pool, 'delivered', keepHistoryMs),
      audit: await purgeAudit(pool, keepAuditMs),
    };
  },
};

/** Selects a row if an internal reader of the log has not read all of these events. */
const unread = (table: string) => `
select from event_readers r join ${table} e on e.xid >= r.xid and (e.xid, e.id) > (r.xid, r.event_id)`;

const oldPartitions = `
select c.relname as name
  from pg_inherits h join pg_class c on c.oid = h.inhrelid
 where h.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$'
   and to_date(right(c.relname, 8), 'YYYYMMDD') < ((now() - $1 * interval '1 millisecond') at time zone 'UTC')::date
 order by 1`;

/**
 * Drops event partitions past the retention period, up to the first that is still read. Those with
 * events of a document under legal hold stay.
 */
export async function dropOldEvents(pool: pg.Pool, keepMs: number): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(oldPartitions, [keepMs]);
  let dropped = 0;
  for (const { name } of rows) {
    const result = await dropPartition(pool, name);
    if (result === 'not now') break;
    if (result === 'dropped') dropped += 1;
  }
  return dropped;
}

/**
 * The short lock timeout is needed because every writer of events queues up behind a waiting DROP
 * TABLE. A partition with events under legal hold is not dropped.
 */
function dropPartition(pool: pg.Pool, name: string): Promise<'dropped' | 'held' | 'not now'> {
  return inTransaction(pool, async (client) => {
    await client.query("set local lock_timeout = '1s'");
    if ((await client.query(`${unread(name)} limit 1`)).rowCount) return 'not now' as const;
    const { rows } = await client.query<{ dropped: boolean }>(
      'select drop_event_partition($1) as dropped',
      [name],
    );
    return rows[0]?.dropped ? ('dropped' as const) : ('held' as const);
  }).catch((error: unknown) => {
    if (isPassing(error)) return 'not now' as const;
    throw error;
  });
}

/** Events that were written when there was no partition for their day. */
const deleteUnpartitioned = `
delete from events_default where ctid = any (array(
  select e.ctid from events_default e
   where e.at < now() - $1 * interval '1 millisecond'
     and not exists (select from event_readers r where (e.xid, e.id) > (r.xid, r.event_id))
     and not exists (select from ingestions i where i.id = e.ingestion_id and is_held(i.workspace_id, i.document_id))
   limit $2))`;

/** Dead and waiting messages are kept. */
const deleteDelivered = `
delete from webhook_messages where id = any (array(
  select id from webhook_messages
   where state = 'delivered' and ended_at < now() - $1 * interval '1 millisecond'
   order by ended_at limit $2))
  and state = 'delivered'`;

const purges = { unpartitioned: deleteUnpartitioned, delivered: deleteDelivered } as const;

/** Deletes in pieces to keep locks short. The next pass deletes the rest. */
export async function purge(
  pool: pg.Pool,
  what: keyof typeof purges,
  keepMs: number,
): Promise<number> {
  let purged = 0;
  for (let pieces = 0; pieces < mostPieces; pieces++) {
    const { rowCount } = await pool.query(purges[what], [keepMs, piece]);
    purged += rowCount ?? 0;
    if ((rowCount ?? 0) < piece) break;
  }
  return purged;
}

const piece = 1000;
const mostPieces = 100;
