import type pg from 'pg';
import { keys } from '../lib/keys.ts';

interface Invariant {
  claim: string;
  /** Selects the rows that violate the claim, as `id`. */
  broken: string;
}

/** The cursor of the job that purges events: older ones may be missing. */
export const eventsPurged = 'events purged before';

const keptSince = `coalesce((select position::timestamptz from job_cursors where name = '${eventsPurged}'), '-infinity')`;

/**
 * What must hold at any time, regardless of the number of workers, crashes and lost messages. Each
 * query reads committed rows only. A grace period is allowed where another process may still be
 * about to act.
 */
export const invariants = {
  'ended-once': {
    claim: 'An ended ingestion has exactly one DOCUMENT_PROCESSED event; one in progress has none',
    broken: `select i.id from ingestions i left join events e on e.ingestion_id = i.id and e.type = 'DOCUMENT_PROCESSED'
              where i.completed_at is null or i.completed_at > ${keptSince}
              group by i.id having count(e.id) <> (i.status <> 'in-progress')::int`,
  },
  'one-live-run': {
    claim: 'A document has at most one ingestion in progress',
    broken: `select document_id as id from ingestions where status = 'in-progress' group by document_id having count(*) > 1`,
  },
  'never-without-a-task': {
    claim: 'An ingestion that was started and is in progress has a task that has not ended',
    broken: `select i.id from ingestions i where i.status = 'in-progress' and i.started_at is not null
                and not exists (select from tasks t where t.ingestion_id = i.id and t.ended_at is null)`,
  },
  'dead-means-letter': {
    claim: 'Every dead task has a dead letter, and every dead letter has a dead task',
    broken: `select t.id from tasks t full join dead_letters l on l.task_id = t.id
              where (t.state = 'dead' and l.id is null) or (l.id is not null and t.state is distinct from 'dead')`,
  },
  'failed-has-reason': {
    claim: 'A failed ingestion has at least one problem that gives the reason',
    broken: `select id from ingestions where status = 'failed' and problems = '[]'`,
  },
  'completed-was-read': {
    claim:
      'A completed ingestion has a transcription, data and validity; a container has contents, and a volume its archive',
    broken: `select id from ingestions where status = 'completed'
                and not exists (select from documents d where d.id = document_id
                  and (d.contents is not null or d.metadata ? 'partOf'))
                and (transcription_key is null or structured_data is null or valid_structured_data is null)`,
  },
  'result-reached-document': {
    claim: 'A document shows the status and data of its latest ingestion',
    broken: `select d.id from documents d join ingestions i on i.id = d.ingestion_id
              where d.status <> i.status or (i.status <> 'in-progress' and (d.structured_data is distinct from i.structured_data
                or d.needs_human_review <> (i.status = 'failed' or not coalesce(i.valid_structured_data, true))))`,
  },
  'attempts-counted-once': {
    claim: 'The attempt count of an ingestion equals that of its tasks',
    broken: `select i.id from ingestions i join tasks t on t.ingestion_id = i.id
              where i.status <> 'cancelled' and t.created_at < coalesce(i.completed_at, 'infinity')
              group by i.id having i.attempt_count <> max(t.attempts)`,
  },
  'lease-ends-once': {
    claim: 'Every lease ends once: no task has two TASK_FINISHED events with the same epoch',
    broken: `select data->>'taskId' as id from events where type = 'TASK_FINISHED'
              group by data->>'taskId', data->>'epoch' having count(*) > 1`,
  },
  'batches-add-up': {
    claim: 'The counters of a batch match the number of its documents in each status',
    broken: `select b.id from batches b
               left join documents d on d.batch_id = b.id left join ingestions i on i.id = d.ingestion_id
              group by b.id having b.open <> count(i.id) filter (where i.status = 'in-progress')
                or b.completed + b.failed + b.cancelled <> b.expired + count(i.id) filter (where i.status <> 'in-progress')
                or b.expired = 0 and (b.completed <> count(i.id) filter (where i.status = 'completed')
                  or b.failed <> count(i.id) filter (where i.status = 'failed'))`,
  },
  'containers-add-up': {
    claim: 'Every entry of a container is either a document or an item with a reason',
    broken: `select c.id from documents c where c.contents is not null and (c.contents->>'seen')::int <> c.entries_expired
               + (select count(*) from documents d where d.parent_id = c.id)
               + (select count(*) from batch_items n where n.container_id = c.id)`,
  },
  'same-workspace': {
    claim: 'A document, its ingestions and its batch belong to the same workspace',
    broken: `select d.id from documents d join ingestions i on i.document_id = d.id left join batches b on b.id = d.batch_id
              where i.workspace_id <> d.workspace_id or b.workspace_id <> d.workspace_id`,
  },
  'leases-are-swept': {
    claim: 'No expired lease is left unswept for more than 5 minutes',
    broken: `select id from tasks where state = 'running' and lease_until < now() - interval '5 minutes'`,
  },
  'due-is-announced': {
    claim: 'No due task stays unannounced for more than 5 minutes',
    broken: `select id from tasks where state = 'ready' and announced_at is null and not_before < now() - interval '5 minutes'`,
  },
} as const satisfies Record<string, Invariant>;

export type InvariantName = keyof typeof invariants;

export interface Violation {
  invariant: InvariantName;
  claim: string;
  count: number;
  /** Up to five ids. */
  examples: string[];
}

/** Checks every invariant and returns those that are violated. */
export async function checkInvariants(pool: pg.Pool | pg.ClientBase): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const name of keys(invariants)) {
    const { claim, broken } = invariants[name];
    const { rows } = await pool.query<{ count: number; examples: string[] | null }>(
      `with broken as (${broken}) select count(*)::int as count, (array_agg(id::text))[1:5] as examples from broken`,
    );
    const { count = 0, examples } = rows[0] ?? {};
    if (count > 0) violations.push({ invariant: name, claim, count, examples: examples ?? [] });
  }
  return violations;
}
