import type { LargeFrom } from '../../domain/lane.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import { backoff } from '../../lib/backoff.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { type LanePosition, type LaneRules, laneAfterFailure } from './lane-choice.ts';

/** When a task is tried again, and when it is given up. Everything about retries is in this file. */
export interface RetryPolicy {
  /** In one stage; in one with lanes the rules of its lanes decide. */
  maxAttempts: number;
  baseMs: number;
  capMs: number;
  largeFrom: LargeFrom;
  laneRulesOf(stage: string): LaneRules;
}

export const defaultBackoff = { baseMs: 2 * SECOND, capMs: 5 * MINUTE };

/** More time or memory may be all that these need. */
const needRoom: ReadonlySet<ProblemCode> = new Set(['TOO_SLOW', 'OUT_OF_MEMORY']);

interface Standing extends LanePosition {
  stage: string;
  attempts: number;
}

export interface Retry {
  /** Where it is tried again; undefined when it is not. */
  next: LanePosition | undefined;
  attempts: number;
  delayMs: number;
}

/** A run failed. */
export function retryAfterFailure(task: Standing, code: ProblemCode, policy: RetryPolicy): Retry {
  const attempts = task.attempts + 1;
  const needsRoom = needRoom.has(code);
  const next = laneAfterFailure(task, policy.laneRulesOf(task.stage), { ...policy, needsRoom });
  const isMoved = next?.lane !== task.lane;
  return { next, attempts, delayMs: needsRoom && isMoved ? 0 : backoff(attempts, policy) };
}

/** The worker is gone. Only where nobody but this task can be to blame does the loss count as a failure. */
export function retryAfterLoss(task: Standing, isCharged: boolean, policy: RetryPolicy): Retry {
  const { lane, failures, attempts, stage } = task;
  if (!isCharged) return { next: { lane, failures }, attempts, delayMs: 0 };
  const next = laneAfterFailure(task, policy.laneRulesOf(stage), { ...policy, needsRoom: false });
  return { next, attempts: attempts + 1, delayMs: backoff(attempts + 1, policy) };
}

/** A wait shorter than this would only spin; one longer than this is asked about again. */
const shortestWaitMs = 250;
const longestWaitMs = 60 * MINUTE;

/** How long a task waits that asked to, without an attempt being charged. */
export function waitMs(askedMs: number, isExact: boolean): number {
  return Math.max(shortestWaitMs, isExact ? askedMs : Math.min(longestWaitMs, askedMs));
}
