import { isPassing, throughOutage } from '../../db/outage.ts';
import { queueName } from '../../domain/lane.ts';
import { describeError } from '../../lib/describe-error.ts';
import { failpoint } from '../../lib/failpoint.ts';
import { monotonicNow } from '../../lib/time.ts';
import { annotate } from '../../observability/tracing/context.ts';
import type { Resources } from '../../resources.ts';
import type { Admission } from '../admission/admission.ts';
import { allowTime } from './run-deadline.ts';
import { climb, isDegraded } from './ladder.ts';
import type { Lease } from './lease.ts';
import type { Leases } from './leases.ts';
import { type Move, moveOf, type RetryPolicy } from './transition.ts';
import { perform, type RunInChild } from './perform.ts';
import { type Pipeline, placeOf, stepOf } from '../pipeline/pipeline.ts';
import type { Settle } from './settle.ts';
import type { Take } from './take.ts';
import type { Announcement, Hint, Task } from './task.ts';
import { traceRun } from './trace-run.ts';
import type { Verdict } from './verdict.ts';

export interface Runner {
  pipeline: Pipeline;
  resources: Resources;
  leases: Leases;
  admission: Admission;
  take: Take;
  settle: Settle;
  /** Gives hints to Redis; never throws, what it loses is found by the reconciler. */
  announce(hints: Announcement[]): Promise<void>;
  timeoutOf(queue: string): number;
  policy: RetryPolicy;
}

export type RunResult = 'settled' | 'stale' | 'lost';

export interface RunOptions {
  inChild: RunInChild;
  /** This process does nothing else meanwhile. */
  alone?: boolean;
}

/** The life of a task in one queue: take → perform → settle → announce. */
export async function runTask(
  runner: Runner,
  queue: string,
  { taskId, epoch }: Hint,
  { inChild, alone = false }: RunOptions,
): Promise<RunResult> {
  const { resources } = runner;
  const { stage, lane } = placeOf(runner.pipeline, queue);
  const usualMs = runner.timeoutOf(queue);
  const task = await runner.take({ taskId, epoch, stage, lane, timeoutMs: usualMs, alone });
  if (!task) {
    resources.metrics.hintDropped(queue, 'stale');
    return 'stale';
  }
  failpoint(stage, 'taken', task.document.name);
  return traceRun(resources.tracing, task, () => runTaken(runner, task, { usualMs, inChild }));
}

async function runTaken(
  runner: Runner,
  task: Task,
  { usualMs, inChild }: { usualMs: number; inChild: RunInChild },
): Promise<RunResult> {
  const { resources, leases, policy, admission, announce } = runner;
  const { stage } = task;
  const lease = leases.hold(task);
  try {
    const step = stepOf(runner.pipeline, stage);
    const timeoutMs = await allowTime(resources.database.pool, task, usualMs);
    const startedAt = monotonicNow();
    const ladder = policy.ladderOf(stage);
    const { maxAttempts } = policy;
    const verdict = await perform(step.stage, task, {
      resources,
      intake: { admission, announce },
      lease,
      timeoutMs,
      degraded: isDegraded(task, ladder, maxAttempts),
      mayFail: climb(task, ladder, { maxAttempts, needsRoom: false }) !== undefined,
      inChild,
    });
    const ms = monotonicNow() - startedAt;
    failpoint(stage, 'performed', task.document.name);
    const next = verdict.kind === 'lost' ? undefined : await close(runner, task, verdict, { ms, lease });
    if (!next) {
      resources.metrics.writeFenced(queueName(stage, task.lane));
      annotate({ 'millrace.outcome': 'lost' }, 'The lease was lost');
      return 'lost';
    }
    failpoint(stage, 'settled', task.document.name);
    await runner.announce(next);
    failpoint(stage, 'announced', task.document.name);
    return 'settled';
  } finally {
    leases.drop(lease);
  }
}

async function close(
  runner: Runner,
  task: Task,
  verdict: Exclude<Verdict, { kind: 'lost' }>,
  { ms, lease }: { ms: number; lease: Lease },
): Promise<Announcement[] | undefined> {
  lease.settling = true;
  const settle = async (as: typeof verdict): Promise<Announcement[] | undefined> => {
    const move = moveOf(task, stepOf(runner.pipeline, task.stage), as, runner.policy);
    // Postgres may be away for a moment: the result is worth waiting for as long as the lease lasts.
    const next = await throughOutage(
      () => runner.settle({ task, move, ms }),
      () => !lease.ended,
    );
    if (next) report(runner.resources, task, move, ms);
    return next;
  };
  return settle(verdict).catch((error: unknown) => {
    if (isPassing(error)) throw error;
    return settle(refused(error));
  });
}

/** Postgres takes no such result: a failure with a reason, where a lease that is left to lapse would have none. */
function refused(error: unknown): Extract<Verdict, { kind: 'retry' }> {
  // Around the reason stands the statement, with all that was to be written.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = `The result could not be written: ${describeError(cause)}`;
  return { kind: 'retry', code: 'INTERNAL', reason, stack: cause instanceof Error ? cause.stack : undefined };
}

function report(
  { log, metrics }: Resources,
  task: Task,
  { outcome, death, error, stage, delayMs, attempts }: Move,
  ms: number,
) {
  metrics.taskFinished(queueName(task.stage, task.lane), outcome, ms);
  if (death) metrics.taskDied(task.stage, death.code);
  annotate({ 'millrace.outcome': outcome, ...(error && { 'millrace.code': error.code }) }, error?.message);
  const facts = {
    documentId: task.document.id,
    taskId: task.id,
    stage: task.stage,
    lane: task.lane,
    epoch: task.epoch,
    outcome,
    ms: Math.round(ms),
  };
  if (death) log.error({ ...facts, code: death.code, attempts }, `document failed: ${death.message}`);
  else if (error) log.warn({ ...facts, code: error.code, attempts, delayMs }, `to be tried again: ${error.message}`);
  else log.debug({ ...facts, next: stage }, 'stage done');
}
