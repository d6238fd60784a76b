import type { Held } from '../domain/held.ts';
import type { ProblemCode } from '../domain/problem.ts';
import { backoff } from '../lib/backoff.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import type { Save } from './outcome.ts';
import type { Step } from './pipeline.ts';
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
  attempts: number;
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
  maxAttempts: number;
  baseMs: number;
  capMs: number;
}

export const retryPolicy = { baseMs: 2 * SECOND, capMs: 5 * MINUTE };

/** A wait shorter than this would only spin; one longer than this is asked about again. */
const shortestSnoozeMs = 250;
const longestSnoozeMs = 60 * MINUTE;

export function moveOf(task: Task, step: Step, verdict: Exclude<Verdict, { kind: 'lost' }>, policy: RetryPolicy): Move {
  const stay: Move = {
    state: 'ready',
    stage: task.stage,
    attempts: task.attempts,
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
      return { ...stay, ...destination(step, task.stage, outcome), outcome, save, completes };
    }
    case 'release':
      return stay;
    case 'reject':
      return dead(stay, { code: verdict.code, category: 'rejected', message: verdict.reason });
    case 'snooze':
      return postpone(task, stay, verdict);
    case 'retry':
      return retry(stay, verdict, policy);
    default:
      return verdict satisfies never;
  }
}

function destination(step: Step, stage: string, label: string): Pick<Move, 'state' | 'stage' | 'followUps'> {
  const next = step.on[label];
  if (next === undefined) throw new Error(`Stage "${stage}" answered "${label}", which leads nowhere`);
  if (typeof next === 'string') return { state: 'ready', stage: next, followUps: [] };
  return { state: 'done', stage, followUps: next ?? [] };
}

function postpone(task: Task, stay: Move, verdict: Extract<Verdict, { kind: 'snooze' }>): Move {
  const { ms, reason, save, exact, held } = verdict;
  const delayMs = Math.min(exact ? ms : longestSnoozeMs, Math.max(shortestSnoozeMs, ms));
  const move = { ...stay, postponed: task.postponed + 1, delayMs, error: { code: 'BUSY', message: reason } };
  if (held) {
    const waitMs = Math.max(shortestSnoozeMs, ms);
    return { ...move, delayMs: waitMs, outcome: 'held', error: { code: 'HELD', message: reason }, held, save };
  }
  if (delayMs <= task.giveUpInMs) return { ...move, save };
  return dead(move, {
    code: 'GAVE_UP_WAITING',
    category: 'gave-up',
    message: `Waited too long. Last reason: ${reason}`,
  });
}

function retry(stay: Move, { code, reason, stack }: Extract<Verdict, { kind: 'retry' }>, policy: RetryPolicy): Move {
  const attempts = stay.attempts + 1;
  const move = { ...stay, attempts, delayMs: backoff(attempts, policy), error: { code, message: reason } };
  if (attempts < policy.maxAttempts) return move;
  return dead(move, { code, category: 'exhausted', message: reason, stack });
}

function dead(move: Move, death: Death): Move {
  return { ...move, state: 'dead', delayMs: 0, error: { code: death.code, message: death.message }, death };
}
