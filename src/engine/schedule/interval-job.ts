import type { Resources } from '../../resources.ts';
import type { Admission } from '../admission/admission.ts';
import type { Queues } from '../queues/queues.ts';
import type { RetryPolicy } from '../task/retry.ts';

export interface JobContext extends Resources {
  queues: Queues;
  policy: RetryPolicy;
  leaseMs: number;
  admission: Admission;
  /** How long a batch may keep the turn while nothing happens in it. */
  batchGraceMs: number;
  /** How old an object must be that belongs to no document before it is removed. */
  storageGraceMs: number;
  /** How long events and delivered webhook messages are kept. */
  keepHistoryMs: number;
}

/** What a pass did, in numbers; logged when it did something. */
export type Report = Record<string, number>;

/** Work that recurs. `run` is one pass; loop, lock, jitter, errors and the record of it are the scheduler's. */
export interface IntervalJob {
  everyMs: number;
  run(context: JobContext): Promise<Report>;
}

export type Schedule = Readonly<Record<string, IntervalJob>>;
