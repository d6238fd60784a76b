import type { Held } from '../../domain/held.ts';
import { firstLane, type Lane, type LargeFrom } from '../../domain/lane.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import { backoff } from '../../lib/backoff.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { climb, type Ladder, type Standing } from './ladder.ts';
import type { Save } from '../pipeline/outcome.ts';
import type { Step } from '../pipeline/pipeline.ts';
import type { Task } from './task.ts';
import type { Verdict } from './verdict.ts';

export interface Death {
  code: ProblemCode;
  category: 'rejected' | 'exhausted' | 'gave-up' | 'lost';
  message: string;
  stack?: string | undefined;
}

/** What settling a task does to it. Pure: the whole policy of retries, waits and deaths is in this file. */
export interface Move {
  state: 'ready' | 'done' | 'dead';
  stage: string;
  lane: Lane;
  attempts: number;
  failures: number;
  postponed: number;
  delayMs: number;
  /** For the audit: the label of a stage that is done, or what happened instead. */
  outcome: string;
  error: { code: string; message: string } | null;
  held: Held | undefined;
  followUps: readonly string[];
  save: Save | undefined;
  /** The ingestion is complete with it. */
  completes: boolean;
  death: Death | undefined;
}

export interface RetryPolicy {
  /** In one stage; in one with lanes the ladder decides. */
  maxAttempts: number;
  baseMs: number;
  capMs: number;
  largeFrom: LargeFrom;
  ladderOf(stage: string): Ladder;
}

/** More time or memory may be all that these need. */
const needRoom: ReadonlySet<ProblemCode> = new Set(['TOO_SLOW', 'OUT_OF_MEMORY']);

export const retryPolicy = { baseMs: 2 * SECOND, capMs: 5 * MINUTE };

/** A wait shorter than this would only spin; one longer than this is asked about again. */
const shortestSnoozeMs = 250;
const longestSnoozeMs = 60 * MINUTE;

export function moveOf(task: Task, step: Step, verdict: Exclude<Verdict, { kind: 'lost' }>, policy: RetryPolicy): Move {
  const stay: Move = {
    state: 'ready',
    stage: task.stage,
    lane: task.lane,
    attempts: task.attempts,
    failures: task.failures,
    postponed: task.postponed,
    delayMs: 0,
    outcome: verdict.kind,
    error: null,
    held: undefined,
    followUps: [],
    save: undefined,
    completes: false,
    death: undefined,
  };
  switch (verdict.kind) {
    case 'done': {
      const { label: outcome, save, completes = false } = verdict;
      return { ...stay, ...destination(task, step, outcome, policy), outcome, save, completes };
    }
    case 'release':
      return stay;
    case 'reject':
      return dead(stay, { code: verdict.code, category: 'rejected', message: verdict.reason });
    case 'snooze':
      return postpone(task, stay, verdict);
    case 'enlarge':
      if (!policy.ladderOf(task.stage).laned) throw new Error(`Stage "${task.stage}" has no large lane`);
      return { ...stay, lane: 'large', failures: 0 };
    case 'retry':
      return retry(stay, verdict, policy);
    default:
      return verdict satisfies never;
  }
}

function destination({ stage, lane, document }: Task, step: Step, label: string, policy: RetryPolicy): Partial<Move> {
  const next = step.on[label];
  if (next === undefined) throw new Error(`Stage "${stage}" answered "${label}", which leads nowhere`);
  if (typeof next !== 'string') return { state: 'done', followUps: next ?? [] };
  if (!policy.ladderOf(next).laned) return { stage: next, lane: 'small', failures: 0 };
  // What needed room in one stage needs it in the next.
  return { stage: next, lane: lane === 'large' ? lane : firstLane(document, policy.largeFrom), failures: 0 };
}

function postpone(task: Task, stay: Move, verdict: Extract<Verdict, { kind: 'snooze' }>): Move {
  const { ms, reason, save, exact, held } = verdict;
  const delayMs = Math.max(shortestSnoozeMs, exact || held ? ms : Math.min(longestSnoozeMs, ms));
  const move = { ...stay, postponed: task.postponed + 1, delayMs, error: { code: 'BUSY', message: reason } };
  if (held) return { ...move, outcome: 'held', error: { code: 'HELD', message: reason }, held, save };
  if (delayMs <= task.giveUpInMs) return { ...move, save };
  return dead(move, {
    code: 'GAVE_UP_WAITING',
    category: 'gave-up',
    message: `Waited too long. Last reason: ${reason}`,
  });
}

function retry(stay: Move, { code, reason, stack }: Extract<Verdict, { kind: 'retry' }>, policy: RetryPolicy): Move {
  const attempts = stay.attempts + 1;
  const needsRoom = needRoom.has(code);
  const next = climb(stay, policy.ladderOf(stay.stage), { maxAttempts: policy.maxAttempts, needsRoom });
  const isMoved = next?.lane !== stay.lane;
  const delayMs = needsRoom && isMoved ? 0 : backoff(attempts, policy);
  const move = { ...stay, ...next, attempts, delayMs, error: { code, message: reason } };
  return next ? move : dead(move, { code, category: 'exhausted', message: reason, stack });
}

/** A task whose worker is gone. */
export interface Loss extends Standing {
  stage: string;
  attempts: number;
  /** Nobody but this task can be to blame. */
  charged: boolean;
}

/** What becomes of it: undefined in `next` when it has none. */
export function lossOf({ stage, lane, failures, attempts, charged }: Loss, policy: RetryPolicy) {
  if (!charged) return { next: { lane, failures }, attempts, delayMs: 0 };
  const next = climb({ lane, failures }, policy.ladderOf(stage), { ...policy, needsRoom: false });
  return { next, attempts: attempts + 1, delayMs: backoff(attempts + 1, policy) };
}

function dead(move: Move, death: Death): Move {
  return { ...move, state: 'dead', delayMs: 0, error: { code: death.code, message: death.message }, death };
}
