import type { Held } from '../../domain/held.ts';
import type { Lane } from '../../domain/lane.ts';
import type { Save } from '../pipeline/outcome.ts';
import type { Step } from '../pipeline/pipeline.ts';
import { laneOnEntry } from './lane-choice.ts';
import { outageWaitMs, type RetryPolicy, retryAfterFailure, waitMs } from './retry.ts';
import type { FailureRecord } from './subject.ts';
import type { Task } from './task.ts';
import type { RunVerdict } from './verdict.ts';

/** The changes that settling makes to a task. */
export interface Transition {
  state: 'ready' | 'done' | 'dead';
  stage: string;
  lane: Lane;
  attempts: number;
  failures: number;
  postponed: number;
  delayMs: number;
  /** For the audit trail: the label returned by the stage, or the kind of verdict. */
  outcome: string;
  error: { code: string; message: string } | null;
  held: Held | undefined;
  followUps: readonly string[];
  save: Save | undefined;
  /** Also completes the ingestion. */
  completes: boolean;
  failure: FailureRecord | undefined;
}

/** Maps the verdict of a run to the next state of its task. Pure. */
export function nextState(
  task: Task,
  step: Step,
  verdict: Exclude<RunVerdict, { kind: 'lost' }>,
  policy: RetryPolicy,
): Transition {
  const stay: Transition = {
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
    failure: undefined,
  };
  switch (verdict.kind) {
    case 'done': {
      const { label: outcome, save, completes = false } = verdict;
      if (completes && !task.document)
        throw new Error(`Stage "${task.stage}" has no document to complete`);
      return { ...stay, ...advance(task, step, outcome, policy), outcome, save, completes };
    }
    case 'release':
      return stay;
    case 'reject':
      return fail(stay, { code: verdict.code, category: 'rejected', message: verdict.reason });
    case 'snooze':
      return postpone(task, stay, verdict);
    case 'enlarge':
      if (!policy.laneRulesOf(task.stage).laned)
        throw new Error(`Stage "${task.stage}" has no large lane`);
      return { ...stay, lane: 'large', failures: 0 };
    case 'retry':
      return retry(stay, verdict, policy);
    default:
      return verdict satisfies never;
  }
}

function advance(task: Task, step: Step, label: string, policy: RetryPolicy): Partial<Transition> {
  const next = step.on[label];
  if (next === undefined)
    throw new Error(`Stage "${task.stage}" returned "${label}", which has no next stage`);
  if (typeof next !== 'string') return { state: 'done', followUps: next ?? [] };
  return {
    stage: next,
    lane: laneOnEntry(task, policy.laneRulesOf(next), policy.largeFrom),
    failures: 0,
  };
}

function postpone(
  task: Task,
  stay: Transition,
  verdict: Extract<RunVerdict, { kind: 'snooze' }>,
): Transition {
  const { ms, reason, save, exact, held, outage } = verdict;
  const askedMs = outage ? outageWaitMs(task.postponed) : ms;
  const delayMs = waitMs(askedMs, exact || held !== undefined);
  const waiting = {
    ...stay,
    postponed: task.postponed + 1,
    delayMs,
    error: { code: outage ? 'STORAGE_UNAVAILABLE' : 'BUSY', message: reason },
  };
  if (held)
    return { ...waiting, outcome: 'held', error: { code: 'HELD', message: reason }, held, save };
  if (delayMs <= task.giveUpInMs) return { ...waiting, save };
  return fail(waiting, {
    code: 'GAVE_UP_WAITING',
    category: 'gave-up',
    message: `Waited too long. Last reason: ${reason}`,
  });
}

function retry(
  stay: Transition,
  { code, reason, stack }: Extract<RunVerdict, { kind: 'retry' }>,
  policy: RetryPolicy,
): Transition {
  const { next, attempts, delayMs } = retryAfterFailure(stay, code, policy);
  const retried = { ...stay, ...next, attempts, delayMs, error: { code, message: reason } };
  return next ? retried : fail(retried, { code, category: 'exhausted', message: reason, stack });
}

function fail(transition: Transition, failure: FailureRecord): Transition {
  const { code, message } = failure;
  return { ...transition, state: 'dead', delayMs: 0, error: { code, message }, failure };
}

/** Whether a transition writes more than the task itself. */
export function hasEffects(task: Task, transition: Transition): boolean {
  return transition.completes || hasOwnEffects(task, transition);
}

/** Effects that are written per task and cannot be grouped. */
export function hasOwnEffects(
  task: Task,
  { save, failure, followUps, attempts }: Transition,
): boolean {
  return (
    save !== undefined || failure !== undefined || followUps.length > 0 || attempts > task.attempts
  );
}
