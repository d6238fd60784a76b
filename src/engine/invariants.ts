import type pg from 'pg';
import { keys } from '../lib/keys.ts';

interface Invariant {
  /** What is always true. */
  claim: string;
  /** Selects what breaks it, as `id`. */
  broken: string;
}

/**
 * What must hold at any moment, however many workers, crashes and lost messages. Each looks at committed rows only; a
 * grace is given where another process has a right to be on its way.
 */
export const invariants = {
  'ended-once': {
    claim:
      'An ingestion that ended has exactly one event that says so, and one that goes on has none',
    broken: `select i.id from ingestions i left join events e on e.ingestion_id = i.id and e.type = 'DOCUMENT_PROCESSED'
              group by i.id having count(e.id) <> (i.status <> 'in-progress')::int`,
  },
  'one-live-run': {
    claim: 'A document has at most one ingestion under way',
    broken: `select document_id as id from ingestions where status = 'in-progress' group by document_id having count(*) > 1`,
  },
  'never-without-a-task': {
    claim: 'An ingestion that has begun and goes on has a task that will carry it further',
    broken: `select i.id from ingestions i where i.status = 'in-progress' and i.started_at is not null
                and not exists (select from tasks t where t.ingestion_id = i.id and t.ended_at is null)`,
  },
  'dead-means-letter': {
    claim: 'Every dead task has a dead letter, and every dead letter a dead task',
    broken: `select t.id from tasks t full join dead_letters l on l.task_id = t.id
              where (t.state = 'dead' and l.id is null) or (l.id is not null and t.state is distinct from 'dead')`,
  },
  'failed-has-reason': {
    claim: 'A failed ingestion says why',
    broken: `select id from ingestions where status = 'failed' and problems = '[]'`,
  },
  'completed-was-read': {
    claim:
      'A completed ingestion has a transcription and data, and says whether they can be trusted; a container has contents',
    broken: `select id from ingestions where status = 'completed'
                and not exists (select from documents d where d.id = document_id and d.contents is not null)
                and (transcription_key is null or structured_data is null or valid_structured_data is null)`,
  },
  'result-reached-document': {
    claim: 'What the latest ingestion found is what the document shows',
    broken: `select d.id from documents d join ingestions i on i.id = d.ingestion_id
              where d.status <> i.status or (i.status <> 'in-progress' and (d.structured_data is distinct from i.structured_data
                or d.needs_human_review <> (i.status = 'failed' or not coalesce(i.valid_structured_data, true))))`,
  },
  'attempts-counted-once': {
    claim: 'The attempts of an ingestion are those of the tasks that carried it to its end',
    broken: `select i.id from ingestions i join tasks t on t.ingestion_id = i.id
              where i.status <> 'cancelled' and t.created_at < coalesce(i.completed_at, 'infinity')
              group by i.id having i.attempt_count <> max(t.attempts)`,
  },
  'lease-ends-once': {
    claim: 'Every lease ends once: no task has two endings under one epoch',
    broken: `select data->>'taskId' as id from events where type = 'TASK_FINISHED'
              group by data->>'taskId', data->>'epoch' having count(*) > 1`,
  },
  'batches-add-up': {
    claim: 'The counters of a batch are the counts of its documents',
    broken: `select b.id from batches b
               left join documents d on d.batch_id = b.id left join ingestions i on i.id = d.ingestion_id
              group by b.id having b.open <> count(i.id) filter (where i.status = 'in-progress')
                or b.completed <> count(i.id) filter (where i.status = 'completed')
                or b.failed <> count(i.id) filter (where i.status = 'failed')
                or b.cancelled <> count(i.id) filter (where i.status = 'cancelled')`,
  },
  'containers-add-up': {
    claim: 'Every entry of an unpacked container is a document or an item that says why not',
    broken: `select c.id from documents c where c.contents is not null and (c.contents->>'seen')::int <>
               (select count(*) from documents d where d.parent_id = c.id)
               + (select count(*) from batch_items n where n.container_id = c.id)`,
  },
  'same-workspace': {
    claim: 'A document, its ingestions and its batch are of one workspace',
    broken: `select d.id from documents d join ingestions i on i.document_id = d.id left join batches b on b.id = d.batch_id
              where i.workspace_id <> d.workspace_id or b.workspace_id <> d.workspace_id`,
  },
  'leases-are-swept': {
    claim: 'No lease stays lapsed for minutes: somebody sweeps',
    broken: `select id from tasks where state = 'running' and lease_until < now() - interval '5 minutes'`,
  },
  'due-is-announced': {
    claim: 'No task that is due stays unannounced for minutes: somebody relays',
    broken: `select id from tasks where state = 'ready' and announced_at is null and not_before < now() - interval '5 minutes'`,
  },
} as const satisfies Record<string, Invariant>;

export type InvariantName = keyof typeof invariants;

export interface Violation {
  invariant: InvariantName;
  claim: string;
  count: number;
  /** Some of the offenders. */
  examples: string[];
}

/** Runs every invariant and answers those that are broken. */
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
