import { SECOND } from '../lib/time.ts';
import { explainHeld, type Held } from './held.ts';
import { type Lane, queueName } from './lane.ts';
import { type Admittance, notAdmittedReasons, whyNotAdmitted } from './why-not-admitted.ts';

/** Everything that decides when a document continues: one snapshot of Postgres and Redis. */
export interface Circumstances {
  now: Date;
  ingestion: {
    status: 'in-progress' | 'completed' | 'failed' | 'cancelled';
    createdAt: Date;
    completedAt: Date | null;
  };
  /** The most recent problem of the ingestion. */
  problem: { code: string; message: string } | undefined;
  task: WaitingTask | undefined;
  admittance: Admittance;
  /** The queue of the task; undefined when Redis is unreachable. */
  queue: { paused: boolean; workers: number } | undefined;
  /** Due tasks of the same stage that are ahead of this one. */
  ahead: number;
  /** Mean duration of a task in this stage; undefined when not known. */
  meanMs: number | undefined;
  providers: readonly ProviderHolds[];
  /** When due tasks were last announced to the queues. */
  relayedAt: Date | undefined;
}

export interface WaitingTask {
  stage: string;
  lane: Lane;
  /** The task waits in quarantine and will run alone. */
  suspect: boolean;
  state: 'ready' | 'running' | 'done' | 'dead' | 'cancelled';
  attempts: number;
  notBefore: Date;
  giveUpAt: Date;
  announcedAt: Date | null;
  startedAt: Date | null;
  leaseOwner: string | null;
  leaseUntil: Date | null;
  deadline: Date | null;
  lastError: { code: string; message: string } | null;
  held: Held | null;
}

/** Until when calls to a provider are suspended, by cause. */
export interface ProviderHolds {
  provider: string;
  brokenUntil: Date | undefined;
  pausedUntil: Date | undefined;
  budgetUntil: Date | undefined;
}

export const reasons = [
  'completed',
  'failed',
  'cancelled',
  ...notAdmittedReasons,
  'running',
  'worker-lost',
  'budget',
  'breaker-open',
  'provider-paused',
  'rate-limit',
  'postponed',
  'retry',
  'redis-unreachable',
  'queue-paused',
  'no-scheduler',
  'to-be-announced',
  'no-worker',
  'behind-others',
  'next',
] as const;

/** Why a document is waiting. */
export interface Why {
  reason: (typeof reasons)[number];
  stage: string | null;
  /** Lane of the stage; null without a task. */
  lane: Lane | null;
  since: Date;
  /** Latest end of this wait; null when it has no limit. */
  until: Date | null;
  /** The reason as a sentence for people. */
  message: string;
}

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
  return task.notBefore > c.now ? postponed(c, task) : waiting(c, task);
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

type Hold = [Why['reason'], keyof Omit<ProviderHolds, 'provider'>, (provider: string) => string];

const holds: Hold[] = [
  [
    'breaker-open',
    'brokenUntil',
    (provider) => `Calls to ${provider} are suspended after repeated failures`,
  ],
  ['provider-paused', 'pausedUntil', (provider) => `${provider} asked callers to slow down`],
  [
    'rate-limit',
    'budgetUntil',
    (provider) => `The requests per minute for ${provider} are used up`,
  ],
];

/** Not due yet: an external service was busy, or an attempt failed. */
function postponed({ ingestion, providers }: Circumstances, task: WaitingTask): Why {
  const { stage, lane, notBefore, giveUpAt, lastError, attempts } = task;
  const since = task.startedAt ?? ingestion.createdAt;
  const at = notBefore.toISOString();
  if (task.held) return outOfMoney(task, task.held, since);
  if (!lastError)
    return {
      reason: 'postponed',
      stage,
      lane,
      since,
      until: notBefore,
      message: `Scheduled to start at ${at}.`,
    };
  if (lastError.code !== 'BUSY') {
    const failure = `Attempt ${attempts} failed with ${lastError.code}: ${clause(lastError.message)}`;
    const message = `${failure}. The next attempt starts at ${at}.`;
    return { reason: 'retry', stage, lane, since, until: notBefore, message };
  }
  const held = providers.find(({ provider }) =>
    squeeze(lastError.message).includes(squeeze(provider)),
  );
  const hold = held && holds.find(([, until]) => held[until]);
  const reason = hold?.[0] ?? 'postponed';
  const cause = held && hold ? hold[2](held.provider) : clause(lastError.message);
  const message = `${cause}; the next try is at ${at}, the last at ${giveUpAt.toISOString()}.`;
  return { reason, stage, lane, since, until: giveUpAt, message };
}

/** A daily budget renews at midnight UTC. The cost limit of a batch changes only by hand. */
function outOfMoney({ stage, lane, notBefore }: WaitingTask, held: Held, since: Date): Why {
  const until = held.reason === 'daily-budget' ? notBefore : null;
  const on = until
    ? `at ${until.toISOString()}, or as soon as the limit is raised`
    : 'as soon as the limit is raised';
  return {
    reason: 'budget',
    stage,
    lane,
    since,
    until,
    message: `${explainHeld(held)}. Processing continues ${on}.`,
  };
}

/** A message as part of a longer sentence. */
const clause = (message: string): string => message.replace(/\.$/, '');

/** Providers are spelled in several ways: `documentai` and "Document AI" are the same. */
const squeeze = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

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
