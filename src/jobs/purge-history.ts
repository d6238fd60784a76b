import type pg from 'pg';
import { inTransaction } from '../db/index.ts';
import { isPassing } from '../db/outage.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { HOUR } from '../lib/time.ts';

/** Deletes events and delivered webhook messages that are past their retention period. */
export const purgeHistory: IntervalJob = {
  everyMs: 1 * HOUR,
  async run({ database: { pool }, keepHistoryMs }) {
    return {
      days: await dropOldEvents(pool, keepHistoryMs),
      events: await purge(pool, 'unpartitioned', keepHistoryMs),
      messages: await purge(pool, 'delivered', keepHistoryMs),
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

/** Drops event partitions past the retention period, up to the first that is still read. */
export async function dropOldEvents(pool: pg.Pool, keepMs: number): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(oldPartitions, [keepMs]);
  let dropped = 0;
  for (const { name } of rows) {
    if (!(await dropPartition(pool, name))) break;
    dropped += 1;
  }
  return dropped;
}

/**
 * False if it cannot be dropped now. The short lock timeout is needed because every writer of
 * events queues up behind a waiting DROP TABLE.
 */
function dropPartition(pool: pg.Pool, name: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query("set local lock_timeout = '1s'");
    const { rowCount } = await client.query(`${unread(name)} limit 1`);
    if (rowCount) return false;
    await client.query(`drop table ${name}`);
    return true;
  }).catch((error: unknown) => {
    if (isPassing(error)) return false;
    throw error;
  });
}

/** Events that were written when there was no partition for their day. */
const deleteUnpartitioned = `
delete from events_default where ctid = any (array(
  select e.ctid from events_default e
   where e.at < now() - $1 * interval '1 millisecond'
     and not exists (select from event_readers r where (e.xid, e.id) > (r.xid, r.event_id))
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
