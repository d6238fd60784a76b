import { isPassing, throughOutage } from '../../db/outage.ts';
import { failpoint } from '../../lib/test-hooks.ts';
import { monotonicNow } from '../../lib/time.ts';
import { findStep, parseQueueName } from '../pipeline/pipeline.ts';
import { isDegraded, laneAfterFailure } from './lane-choice.ts';
import type { Lease } from './lease.ts';
import { perform, type RunInChild } from './perform.ts';
import { reportDropped, reportLost, reportSettled, traceRun } from './report.ts';
import type { Runner } from './runner.ts';
import { type FailureRecord, nameSubject } from './subject.ts';
import { setRunDeadline } from './take.ts';
import { type Announcement, type Hint, hintsIn, jobData, type Task } from './task.ts';
import { nextState, type Transition } from './transition.ts';
import { type RunVerdict, unwritable } from './verdict.ts';

/**
 * The life of a job, from top to bottom: receive → take → perform → settle → announce. Redis may
 * lose, repeat or forge the job, so the task in Postgres decides what happens.
 */
export async function runJob(
  runner: Runner,
  queue: string,
  job: { id?: string; data: unknown },
  options: JobOptions,
): Promise<JobResult> {
  const hints = receive(runner, queue, job);
  const failures: FailureRecord[] = [];
  const onSettled = ({ failure }: Transition) => {
    if (failure) failures.push(failure);
  };
  // The job stays active until all of its tasks have ended, even if some of them failed.
  const runs = await Promise.allSettled(
    hints.map(async (hint) => {
      const result = await runTask(runner, queue, hint, { ...options, onSettled });
      if (result !== 'stale') options.onTaskEnded?.();
      return result;
    }),
  );
  const failed = runs.find((run) => run.status === 'rejected');
  if (failed) throw failed.reason;
  const isSettled = runs.every((run) => run.status === 'fulfilled' && run.value === 'settled');
  return { isSettled: isSettled && hints.length > 0, failures };
}

/** What became of the tasks of a job. */
export interface JobResult {
  /** All of them were settled by this run. */
  isSettled: boolean;
  /** Of the tasks that failed for good. */
  failures: readonly FailureRecord[];
}

export async function runTask(
  runner: Runner,
  queue: string,
  hint: Hint,
  options: RunOptions,
): Promise<'settled' | 'stale' | 'lost'> {
  const task = await take(runner, queue, hint, options);
  if (!task) {
    reportDropped(runner.resources, queue, 'stale');
    return 'stale';
  }
  return traceRun(runner.resources.tracing, task, async () => {
    const lease = runner.leases.hold(task);
    try {
      const { verdict, ms } = await performTimed(runner, queue, task, lease, options);
      const hints = await settle(runner, task, lease, { verdict, ms, ...options });
      if (!hints) {
        reportLost(runner.resources, task);
        return 'lost';
      }
      await runner.announce(hints);
      failpoint(task.stage, 'announced', nameSubject(task));
      return 'settled';
    } finally {
      runner.leases.drop(lease);
    }
  });
}

/** The tasks a job points at. A malformed job is dropped. */
function receive(
  { resources }: Runner,
  queue: string,
  job: { id?: string; data: unknown },
): Hint[] {
  const { success, data } = jobData.safeParse(job.data);
  if (success) return hintsIn(data);
  reportDropped(resources, queue, 'malformed', job.id);
  return [];
}

async function take(runner: Runner, queue: string, hint: Hint, { alone = false }: RunOptions) {
  const { stage, lane } = parseQueueName(runner.pipeline, queue);
  const task = await runner.take({
    ...hint,
    stage,
    lane,
    timeoutMs: runner.timeoutOf(queue),
    alone,
  });
  if (task) failpoint(stage, 'taken', nameSubject(task));
  return task;
}

async function performTimed(
  runner: Runner,
  queue: string,
  task: Task,
  lease: Lease,
  { inChild }: RunOptions,
) {
  const { resources, policy, admission, announce } = runner;
  const { stage } = findStep(runner.pipeline, task.stage);
  const usualMs = runner.timeoutOf(queue);
  const timeoutMs = await setRunDeadline(resources.database.pool, task, usualMs);
  const laneRules = policy.laneRulesOf(task.stage);
  const startedAt = monotonicNow();
  const verdict = await perform(stage, task, {
    resources,
    intake: { admission, announce },
    lease,
    timeoutMs,
    degraded: isDegraded(task, laneRules, policy.maxAttempts),
    mayFail: laneAfterFailure(task, laneRules, { ...policy, needsRoom: false }) !== undefined,
    inChild,
  });
  failpoint(task.stage, 'performed', nameSubject(task));
  return { verdict, ms: monotonicNow() - startedAt };
}

/** Returns the hints to announce, or undefined if the lease was lost and nothing was written. */
async function settle(
  runner: Runner,
  task: Task,
  lease: Lease,
  { verdict, ms, onSettled }: { verdict: RunVerdict; ms: number } & RunOptions,
): Promise<Announcement[] | undefined> {
  if (verdict.kind === 'lost') return undefined;
  lease.settling = true;
  const write = async (given: typeof verdict): Promise<Announcement[] | undefined> => {
    const transition = nextState(task, findStep(runner.pipeline, task.stage), given, runner.policy);
    // A finished result is worth waiting for Postgres to come back, as long as the lease is valid.
    const hints = await throughOutage(
      () => runner.settle({ task, transition, ms }),
      () => !lease.ended,
    );
    if (hints) {
      reportSettled(runner.resources, task, transition, ms);
      onSettled?.(transition);
    }
    return hints;
  };
  const hints = await write(verdict).catch((error: unknown) => {
    if (isPassing(error)) throw error;
    return write(unwritable(error));
  });
  if (hints) failpoint(task.stage, 'settled', nameSubject(task));
  return hints;
}

export interface RunOptions {
  /** The child process BullMQ keeps for a sandboxed stage. Without it, the sandbox pool is used. */
  inChild?: RunInChild | undefined;
  /** This process runs nothing else at the same time. */
  alone?: boolean;
  /** Called with the transition that was written. */
  onSettled?: (transition: Transition) => void;
}

export interface JobOptions extends RunOptions {
  /** Not called for stale hints. */
  onTaskEnded?: () => void;
}
