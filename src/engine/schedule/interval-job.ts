import type { Resources } from '../../resources.ts';
import type { Admission } from '../admission/admission.ts';
import type { Queues } from '../queues/queues.ts';
import type { RetryPolicy } from '../task/retry.ts';
import type { FailSubject } from '../task/subject.ts';

export interface JobContext extends Resources {
  queues: Queues;
  policy: RetryPolicy;
  failSubject: FailSubject;
  leaseMs: number;
  admission: Admission;
  /** How long a batch may keep the turn without progress and without documents in progress. */
  batchGraceMs: number;
  /** As `batchGraceMs`, with documents in progress. */
  batchStuckMs: number;
  /** Minimum age of an object without a document before it is removed. */
  storageGraceMs: number;
  /** Retention of events and delivered webhook messages. */
  keepHistoryMs: number;
  /** How long entries of the audit log are kept. */
  keepAuditMs: number;
}

/** Counts of what a pass did; logged if any is above 0. */
export type Report = Record<string, number>;

/**
 * Recurring work. `run` is one pass. The scheduler provides the loop, lock, jitter, error handling
 * and the record of passes.
 */
export interface IntervalJob {
  everyMs: number;
  run(context: JobContext): Promise<Report>;
}

export type Schedule = Readonly<Record<string, IntervalJob>>;
