import { sql } from 'drizzle-orm';
import type { Db } from './index.ts';

/** A workspace whose ended documents are removed after some days. */
export interface RetentionRule {
  [column: string]: unknown;
  workspaceId: string;
  days: number;
}

export async function listRetentionRules(db: Db): Promise<RetentionRule[]> {
  const { rows } = await db.execute<RetentionRule>(sql`
    select id as "workspaceId", retention_days as days from workspaces
     where retention_days is not null order by id`);
  return rows;
}

export interface AgedDocument {
  [column: string]: unknown;
  id: string;
  /** Whether it is older than the retention period. */
  due: boolean;
  /** Whether nothing keeps it: no work in progress, no entries, no open batch, no legal hold. */
  removable: boolean;
}

/**
 * The next documents of a workspace in order of arrival. Ids ascend with time, so the index of the
 * list serves as an index by age, and the first that is not due ends the search.
 */
export async function oldestDocuments(
  db: Db,
  { workspaceId, days }: RetentionRule,
  { after, limit }: { after: string; limit: number },
): Promise<AgedDocument[]> {
  const from = after === '' ? '00000000-0000-0000-0000-000000000000' : after;
  const { rows } = await db.execute<AgedDocument>(sql`
    with page as materialized (
      select id, batch_id, status, created_at < now() - ${days}::int * interval '1 day' as due
        from documents where workspace_id = ${workspaceId} and id > ${from}::uuid order by id limit ${limit})
    select p.id, p.due, p.due and p.status <> 'in-progress'
           and not exists (select from documents c where c.parent_id = p.id)
           and not exists (select from ingestions i join tasks t on t.ingestion_id = i.id
                            where i.document_id = p.id and t.ended_at is null)
           and not exists (select from batches b where b.id = p.batch_id and b.ended_at is null)
           and not is_held(${workspaceId}, p.id) as removable
      from page p order by p.id`);
  return rows;
}

/** What a removed document leaves in storage. */
export interface Remains {
  [column: string]: unknown;
  storageKey: string;
  ingestionIds: string[];
}

/**
 * Locks documents and their tasks and returns those that still have ended. A legal hold that is set
 * meanwhile waits for the transaction, or makes it fail.
 */
export async function lockEnded(tx: Db, ids: readonly string[]): Promise<string[]> {
  const wanted = sql`any(${sql.param(ids)}::uuid[])`;
  await tx.execute(sql`
    select t.id from tasks t join ingestions i on i.id = t.ingestion_id
     where i.document_id = ${wanted} order by t.id for update of t`);
  const { rows } = await tx.execute<{ id: string }>(sql`
    select d.id from documents d
     where d.id = ${wanted} and d.status <> 'in-progress'
       and not exists (select from ingestions i join tasks t on t.ingestion_id = i.id
                        where i.document_id = d.id and t.ended_at is null)
     order by d.id for update of d skip locked`);
  return rows.map(({ id }) => id);
}

/** Deletes locked documents and every row about them. Unread events are left to their own age. */
export async function deleteDocuments(tx: Db, ids: readonly string[]): Promise<Remains[]> {
  const wanted = sql`any(${sql.param(ids)}::uuid[])`;
  const { rows } = await tx.execute<Remains>(sql`
    select storage_key as "storageKey",
           array(select i.id from ingestions i where i.document_id = d.id) as "ingestionIds"
      from documents d where d.id = ${wanted}`);
  const runs = sql`any(${sql.param(rows.flatMap(({ ingestionIds }) => ingestionIds))}::uuid[])`;
  const statements = [
    sql`delete from events e where e.ingestion_id = ${runs}
          and not exists (select from event_readers r where (e.xid, e.id) > (r.xid, r.event_id))`,
    sql`delete from deliveries where document_id = ${wanted}`,
    sql`delete from review_changes where document_id = ${wanted}`,
    sql`delete from reviews where document_id = ${wanted}`,
    sql`delete from dead_letters where ingestion_id = ${runs}`,
    sql`delete from tasks where ingestion_id = ${runs}`,
    sql`delete from ingestions where id = ${runs}`,
    sql`delete from batch_items where container_id = ${wanted}`,
    sql`update batch_items set document_id = null where document_id = ${wanted}`,
    sql`delete from families where root_id = ${wanted}`,
    sql`update documents p set entries_expired = entries_expired + n
          from (select parent_id, count(*) as n from documents where id = ${wanted} group by 1) c
         where p.id = c.parent_id`,
    // Documents wait for the workspace of their batch, as everything that changes its counters.
    sql`update batches b set expired = expired + n
          from (select batch_id, count(*) as n from documents where id = ${wanted} group by 1) c
         where b.id = c.batch_id`,
    sql`delete from documents where id = ${wanted}`,
  ];
  for (const statement of statements) await tx.execute(statement);
  return rows;
}
