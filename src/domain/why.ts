import { SECOND } from '../lib/time.ts';
import { explainHeld, type Held } from './held.ts';
import { type Lane, queueName } from './lane.ts';
import { type Admittance, notAdmittedReasons, whyNotAdmitted } from './why-not-admitted.ts';

/** All that decides when a document goes on, as found in Postgres and Redis at one moment. */
export interface Circumstances {
  now: Date;
  ingestion: {
    status: 'in-progress' | 'completed' | 'failed' | 'cancelled';
    createdAt: Date;
    completedAt: Date | null;
  };
  /** The last thing that was wrong with it. */
  problem: { code: string; message: string } | undefined;
  task: WaitingTask | undefined;
  admittance: Admittance;
  /** Its queue; undefined when Redis could not be asked. */
  queue: { paused: boolean; workers: number } | undefined;
  /** Due tasks of the same stage that came before it. */
  ahead: number;
  /** How long one task of this stage takes, where that is known. */
  meanMs: number | undefined;
  providers: readonly ProviderHolds[];
  /** When due tasks were last announced to the queues. */
  relayedAt: Date | undefined;
}

export interface WaitingTask {
  stage: string;
  lane: Lane;
  /** It waits in quarantine, to run alone. */
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

/** Until when nobody calls a provider, and why. */
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

/** What a document waits for. */
export interface Why {
  reason: (typeof reasons)[number];
  stage: string | null;
  /** Of the stage, where there is one. */
  lane: Lane | null;
  since: Date;
  /** When this is over at the latest; null where nothing limits it. */
  until: Date | null;
  /** The same in a sentence. */
  message: string;
}

/** A scheduler announces due tasks every second; after this long there is none. */
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

function ended(
  { ingestion, problem }: Circumstances,
  status: 'completed' | 'failed' | 'cancelled',
): Why {
  const because = status === 'failed' && problem ? ` (${problem.code}): ${problem.message}` : '';
  const since = ingestion.completedAt ?? ingestion.createdAt;
  return {
    reason: status,
    stage: null,
    lane: null,
    since,
    until: null,
    message: `It waits for nothing: it is ${status}${because}.`,
  };
}

function running({ now }: Circumstances, task: WaitingTask): Why {
  const { stage, lane, leaseOwner, leaseUntil, deadline, startedAt } = task;
  const since = startedAt ?? now;
  if (leaseUntil && leaseUntil <= now) {
    const message = `Worker ${leaseOwner} gave no sign of life; the task is taken from it at the next sweep.`;
    return { reason: 'worker-lost', stage, lane, since: leaseUntil, until: null, message };
  }
  const message = `Worker ${leaseOwner} is at it in ${queueName(stage, lane)}.`;
  return { reason: 'running', stage, lane, since, until: deadline, message };
}

type Hold = [Why['reason'], keyof Omit<ProviderHolds, 'provider'>, (provider: string) => string];

const holds: Hold[] = [
  ['breaker-open', 'brokenUntil', (provider) => `${provider} failed too often and is left alone`],
  ['provider-paused', 'pausedUntil', (provider) => `${provider} asked to be left alone`],
  ['rate-limit', 'budgetUntil', (provider) => `The requests a minute for ${provider} are used up`],
];

/** Not due yet: something outside was busy, or an attempt failed. */
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
      message: `It is not to begin before ${at}.`,
    };
  if (lastError.code !== 'BUSY') {
    const message = `Attempt ${attempts} failed with ${lastError.code}: ${lastError.message} It is tried again at ${at}.`;
    return { reason: 'retry', stage, lane, since, until: notBefore, message };
  }
  const held = providers.find(({ provider }) =>
    squeeze(lastError.message).includes(squeeze(provider)),
  );
  const hold = held && holds.find(([, until]) => held[until]);
  const reason = hold?.[0] ?? 'postponed';
  const what = held && hold ? hold[2](held.provider) : lastError.message;
  const message = `${what}; it asks again at ${at}, until ${giveUpAt.toISOString()} at the latest.`;
  return { reason, stage, lane, since, until: giveUpAt, message };
}

/** A day ends by itself; what a batch may cost is raised by a person or never. */
function outOfMoney({ stage, lane, notBefore }: WaitingTask, held: Held, since: Date): Why {
  const until = held.reason === 'daily-budget' ? notBefore : null;
  const on = until
    ? `at ${until.toISOString()}, or as soon as it is raised`
    : 'as soon as it is raised';
  return {
    reason: 'budget',
    stage,
    lane,
    since,
    until,
    message: `${explainHeld(held)}. It goes on ${on}.`,
  };
}

/** Names are written in different ways: `documentai` is Document AI. */
const squeeze = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Due: who keeps it from being taken? */
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
    return because('redis-unreachable', 'Redis cannot be asked; work goes on when it is back.');
  if (queue.paused) return because('queue-paused', `Somebody has paused the queue ${name}.`);
  if (!task.announcedAt) {
    if (!relayedAt || now.getTime() - relayedAt.getTime() > relayPatienceMs)
      return because(
        'no-scheduler',
        `It is due, but no scheduler runs to announce it to the queue ${name}.`,
      );
    return because(
      'to-be-announced',
      `It is due and announced to the queue ${name} at the next pass.`,
    );
  }
  if (queue.workers === 0)
    return because('no-worker', `No worker is connected to the queue ${name}.`);
  if (ahead === 0) return because('next', `It is the next to be taken from the queue ${name}.`);
  const work =
    meanMs === undefined
      ? ''
      : `, about ${Math.ceil((ahead * meanMs) / SECOND)} s of work for one worker`;
  return because('behind-others', `${ahead} others are before it in the queue ${name}${work}.`);
}
