import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lane } from '../../domain/lane.ts';
import { overlay } from '../../lib/overlay.ts';
import { RunClock } from '../../lib/run-clock.ts';
import { runAs } from '../../lib/run-owner.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Resources } from '../../resources.ts';
import { fromFault, outcome, type ProcessorRequest } from '../../sandbox/messages.ts';
import type { RunInSandbox } from '../../sandbox/sandbox.ts';
import type { Outcome } from '../pipeline/outcome.ts';
import type { Stage, StageContext } from '../pipeline/stage.ts';
import type { Lease } from './lease.ts';
import { forgiveFailures } from './progressed.ts';
import { longestWaitMs } from './take.ts';
import type { Task } from './task.ts';
import { type RunVerdict, SandboxBusyError, StageTimeoutError, toVerdict } from './verdict.ts';

/** Runs a stage on its subject until it returns, throws, or is stopped. Never throws. */
export async function perform(
  stage: Stage,
  task: Task,
  { resources, intake, lease, timeoutMs, degraded, mayFail, inChild }: PerformOptions,
): Promise<RunVerdict> {
  const { signal } = lease;
  let directory: Promise<string> | undefined;
  const workDirectory = () => {
    directory ??= mkdtemp(join(tmpdir(), 'millrace-'));
    return directory;
  };
  const clock = new RunClock({
    workMs: timeoutMs,
    waitMs: longestWaitMs,
    onUsedUp: (what) => lease.stop(usedUp[what](task.stage, timeoutMs)),
  });
  try {
    signal.throwIfAborted();
    const { lane } = task;
    const context: StageContext = overlay(resources, {
      task: { id: task.id, epoch: task.epoch },
      signal,
      timeoutMs,
      timeLeftMs: () => clock.workLeftMs,
      lane,
      failures: task.failures,
      mayFail,
      progressed: () => forgiveFailures(resources.database.pool, task),
      workDirectory,
      intake,
      inSandbox:
        stage.sandboxed && inChild
          ? inOwnChild(inChild, { signal, timeoutMs })
          : inPool(resources, { signal, clock, lane }),
    });
    const owner = { workspaceId: task.document?.workspaceId, taskId: task.id };
    const run = clock.during(() =>
      runAs(owner, async () => runStage(stage, task, context, degraded)),
    );
    return await Promise.race([run, lease.stopped]);
  } catch (error) {
    return toVerdict(signal.aborted ? signal.reason : error);
  } finally {
    clock.stop();
    if (directory) await tidy(directory, resources);
  }
}

const usedUp = {
  work: (stage: string, timeoutMs: number) =>
    new StageTimeoutError(`Stage ${stage} took longer than ${timeoutMs / 1000} s`),
  wait: () =>
    new SandboxBusyError(`No sandbox process became free within ${longestWaitMs / MINUTE} min`),
};

function runStage(
  stage: Stage,
  { stage: name, subject, document }: Task,
  context: StageContext,
  degraded: boolean,
): Promise<Outcome> {
  const { work, lanes, run } = stage;
  if (work && work.kind === subject.kind) return work.run(subject, context);
  if (work || !document) throw new Error(`Stage "${name}" does not work on ${subject.kind}`);
  return ((degraded && lanes?.degrade) || run)(document, context);
}

/** Only logs a failure, which aborted work that still writes to the directory can cause. */
async function tidy(directory: Promise<string>, { log }: Resources): Promise<void> {
  try {
    await rm(await directory, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    log.warn({ err: error }, 'could not remove a work directory');
  }
}

export interface PerformOptions {
  resources: Resources;
  intake: StageContext['intake'];
  lease: Lease;
  timeoutMs: number;
  /** Run the stage's reduced version, if it has one. */
  degraded: boolean;
  mayFail: boolean;
  /** Undefined if the stage has no child process of its own. */
  inChild: RunInChild | undefined;
}

/** Sends a request to the child process BullMQ keeps for a queue and returns its reply. */
export type RunInChild = (request: ProcessorRequest, signal: AbortSignal) => Promise<unknown>;

function inOwnChild(
  run: RunInChild,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): RunInSandbox {
  return async (operation, input) => {
    const answer = outcome.parse(await run({ operation, input, timeoutMs }, signal));
    if (answer.kind === 'failed') throw fromFault(answer.fault);
    // Both sides use the same table of operations, so the type of the output matches.
    return answer.output as never;
  };
}

function inPool(
  { sandbox }: Resources,
  { signal, clock, lane }: { signal: AbortSignal; clock: RunClock; lane: Lane },
): RunInSandbox {
  return (operation, input) =>
    sandbox.run(operation, input, { signal, lane, timeoutMs: clock.workLeftMs });
}
