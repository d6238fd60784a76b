import { isPassing, throughOutage } from '../../db/outage.ts';
import { queueName } from '../../domain/lane.ts';
import { failpoint } from '../../lib/failpoint.ts';
import { monotonicNow } from '../../lib/time.ts';
import { findStep, parseQueueName } from '../pipeline/pipeline.ts';
import { isDegraded, laneAfterFailure } from './lane-choice.ts';
import type { Lease } from './lease.ts';
import { perform, type RunInChild } from './perform.ts';
import { reportDropped, reportLost, reportSettled } from './report.ts';
import { setRunDeadline } from './run-deadline.ts';
import type { Runner } from './runner.ts';
import { type Announcement, type Hint, hintsIn, jobData, type Task } from './task.ts';
import { traceRun } from './trace-run.ts';
import { nextState } from './transition.ts';
import { type RunVerdict, unwritable } from './verdict.ts';

/**
 * The life of a job, from top to bottom: receive → take → perform → settle → announce. Redis may lose, repeat or forge
 * the job; what happens is decided by the task in Postgres that it points at.
 */
export async function runJob(
  runner: Runner,
  queue: string,
  job: { id?: string; data: unknown },
  options: JobOptions,
) {
  const hints = receive(runner, queue, job);
  // The job is under way until the last of its tasks has ended, however the others did.
  const runs = await Promise.allSettled(
    hints.map(async (hint) => {
      const result = await runTask(runner, queue, hint, options);
      if (result !== 'stale') options.onTaskEnded?.();
    }),
  );
  const failed = runs.find((run) => run.status === 'rejected');
  if (failed) throw failed.reason;
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
      const { verdict, ms } = await performTimed(runner, task, lease, options);
      const hints = await settle(runner, task, lease, verdict, ms);
      if (!hints) {
        reportLost(runner.resources, task);
        return 'lost';
      }
      await runner.announce(hints);
      failpoint(task.stage, 'announced', task.document.name);
      return 'settled';
    } finally {
      runner.leases.drop(lease);
    }
  });
}

/** The tasks that a job points at. One that is no pointer is dropped. */
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
  if (task) failpoint(stage, 'taken', task.document.name);
  return task;
}

async function performTimed(runner: Runner, task: Task, lease: Lease, { inChild }: RunOptions) {
  const { resources, policy, admission, announce } = runner;
  const { stage } = findStep(runner.pipeline, task.stage);
  const usualMs = runner.timeoutOf(queueName(task.stage, task.lane));
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
  failpoint(task.stage, 'performed', task.document.name);
  return { verdict, ms: monotonicNow() - startedAt };
}

/** The hints to announce; undefined where the lease was lost and nothing was written. */
async function settle(
  runner: Runner,
  task: Task,
  lease: Lease,
  verdict: RunVerdict,
  ms: number,
): Promise<Announcement[] | undefined> {
  if (verdict.kind === 'lost') return undefined;
  lease.settling = true;
  const write = async (given: typeof verdict): Promise<Announcement[] | undefined> => {
    const transition = nextState(task, findStep(runner.pipeline, task.stage), given, runner.policy);
    // Postgres may be away for a moment: the result is worth waiting for as long as the lease lasts.
    const hints = await throughOutage(
      () => runner.settle({ task, transition, ms }),
      () => !lease.ended,
    );
    if (hints) reportSettled(runner.resources, task, transition, ms);
    return hints;
  };
  const hints = await write(verdict).catch((error: unknown) => {
    if (isPassing(error)) throw error;
    return write(unwritable(error));
  });
  if (hints) failpoint(task.stage, 'settled', task.document.name);
  return hints;
}

export interface RunOptions {
  /** The child that BullMQ keeps for the queue of a sandboxed stage; the pool's children are used without it. */
  inChild?: RunInChild | undefined;
  /** This process does nothing else meanwhile. */
  alone?: boolean;
}

export interface JobOptions extends RunOptions {
  /** Called for each task that was really run. */
  onTaskEnded?: () => void;
}
