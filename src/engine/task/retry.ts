import type { LargeFrom } from '../../domain/lane.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import { backoff } from '../../lib/backoff.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { type LanePosition, type LaneRules, laneAfterFailure } from './lane-choice.ts';

/** When a task is retried and when it is given up. All retry rules are in this file. */
export interface RetryPolicy {
  /** Per stage. In a stage with lanes the lane rules apply instead. */
  maxAttempts: number;
  baseMs: number;
  capMs: number;
  largeFrom: LargeFrom;
  laneRulesOf(stage: string): LaneRules;
}

export const defaultBackoff = { baseMs: 2 * SECOND, capMs: 5 * MINUTE };

/** Failures that may be cured by more time or memory, that is, by the large lane. */
const needRoom: ReadonlySet<ProblemCode> = new Set(['TOO_SLOW', 'OUT_OF_MEMORY']);

interface TaskPosition extends LanePosition {
  stage: string;
  attempts: number;
}

export interface Retry {
  /** Undefined if the task is given up. */
  next: LanePosition | undefined;
  attempts: number;
  delayMs: number;
}

export function retryAfterFailure(
  task: TaskPosition,
  code: ProblemCode,
  policy: RetryPolicy,
): Retry {
  const attempts = task.attempts + 1;
  const needsRoom = needRoom.has(code);
  const next = laneAfterFailure(task, policy.laneRulesOf(task.stage), { ...policy, needsRoom });
  const isMoved = next?.lane !== task.lane;
  return { next, attempts, delayMs: needsRoom && isMoved ? 0 : backoff(attempts, policy) };
}

/** The worker died. The loss counts as an attempt only if this task alone can have caused it. */
export function retryAfterLoss(task: TaskPosition, isCharged: boolean, policy: RetryPolicy): Retry {
  const { lane, failures, attempts, stage } = task;
  if (!isCharged) return { next: { lane, failures }, attempts, delayMs: 0 };
  const next = laneAfterFailure(task, policy.laneRulesOf(stage), { ...policy, needsRoom: false });
  return { next, attempts: attempts + 1, delayMs: backoff(attempts + 1, policy) };
}

/** A shorter wait would only spin. After the longest wait the task asks again. */
const shortestWaitMs = 250;
const longestWaitMs = 60 * MINUTE;

/** The delay of a task that asked to wait. Waiting costs no attempt. */
export function waitMs(askedMs: number, isExact: boolean): number {
  return Math.max(shortestWaitMs, isExact ? askedMs : Math.min(longestWaitMs, askedMs));
}

/** How long an outage may be over before a task that waited for its end notices. */
const outageBackoff = { baseMs: 1 * SECOND, capMs: 30 * SECOND };

/** The delay of a task that needs a service which is away, after `postponed` earlier waits. */
export function outageWaitMs(postponed: number): number {
  return backoff(postponed + 1, outageBackoff);
}
