import type { Held } from './held.ts';
import type { Lane } from './lane.ts';
import { type Admittance, notAdmittedReasons } from './why-not-admitted.ts';

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
  'storage-unavailable',
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
