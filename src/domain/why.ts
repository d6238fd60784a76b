import { SECOND } from '../lib/time.ts';
import type { Circumstances, WaitingTask, Why } from './circumstances.ts';
import { queueName } from './lane.ts';
import { whyNotAdmitted } from './why-not-admitted.ts';
import { clause, whyPostponed } from './why-postponed.ts';

/** A scheduler announces due tasks every second. After this much silence none is running. */
const relayPatienceMs = 30 * SECOND;

export function explainWaiting(c: Circumstances): Why {
  const { ingestion, task } = c;
  if (ingestion.status !== 'in-progress') return ended(c, ingestion.status);
  if (!task || task.state === 'done' || task.state === 'dead' || task.state === 'cancelled') {
    return {
      ...whyNotAdmitted(c.admittance),
      stage: null,
      lane: null,
      since: ingestion.createdAt,
      until: null,
    };
  }
  if (task.state === 'running') return running(c, task);
  return task.notBefore > c.now ? whyPostponed(c, task) : waiting(c, task);
}

const statusWords = { completed: 'Completed', failed: 'Failed', cancelled: 'Cancelled' } as const;

function ended(
  { ingestion, problem }: Circumstances,
  status: 'completed' | 'failed' | 'cancelled',
): Why {
  const cause =
    status === 'failed' && problem ? ` (${problem.code}): ${clause(problem.message)}` : '';
  const since = ingestion.completedAt ?? ingestion.createdAt;
  return {
    reason: status,
    stage: null,
    lane: null,
    since,
    until: null,
    message: `${statusWords[status]}${cause}. Nothing is pending.`,
  };
}

function running({ now }: Circumstances, task: WaitingTask): Why {
  const { stage, lane, leaseOwner, leaseUntil, deadline, startedAt } = task;
  const since = startedAt ?? now;
  if (leaseUntil && leaseUntil <= now) {
    const message = `Worker ${leaseOwner} stopped responding. The next sweep releases the task.`;
    return { reason: 'worker-lost', stage, lane, since: leaseUntil, until: null, message };
  }
  const message = `Running: worker ${leaseOwner} is processing it in ${queueName(stage, lane)}.`;
  return { reason: 'running', stage, lane, since, until: deadline, message };
}

/** The task is due. Finds out why no worker has taken it. */
function waiting({ now, queue, ahead, meanMs, relayedAt }: Circumstances, task: WaitingTask): Why {
  const { stage, lane, suspect, notBefore: since } = task;
  const name = suspect ? 'quarantine' : queueName(stage, lane);
  const because = (reason: Why['reason'], message: string): Why => ({
    reason,
    stage,
    lane,
    since,
    until: null,
    message,
  });
  if (!queue)
    return because(
      'redis-unreachable',
      'Redis is unreachable. Processing continues when it is back; no work is lost.',
    );
  if (queue.paused)
    return because('queue-paused', `The queue ${name} is paused. Resume it to continue.`);
  if (!task.announcedAt) {
    if (!relayedAt || now.getTime() - relayedAt.getTime() > relayPatienceMs)
      return because(
        'no-scheduler',
        `Due, but no scheduler is running to add it to the queue ${name}. Start one.`,
      );
    return because(
      'to-be-announced',
      `Due: the scheduler adds it to the queue ${name} within seconds.`,
    );
  }
  if (queue.workers === 0)
    return because('no-worker', `No worker is connected to the queue ${name}.`);
  if (ahead === 0) return because('next', `Next in the queue ${name}.`);
  const work =
    meanMs === undefined
      ? ''
      : ` (about ${Math.ceil((ahead * meanMs) / SECOND)} s of work for one worker)`;
  const documents = ahead === 1 ? '1 document is' : `${ahead} documents are`;
  return because('behind-others', `Queued: ${documents} ahead in the queue ${name}${work}.`);
}
