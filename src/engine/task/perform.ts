import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lane } from '../../domain/lane.ts';
import { monotonicNow } from '../../lib/time.ts';
import type { Resources } from '../../resources.ts';
import { fromFault, outcome, type ProcessorRequest } from '../../sandbox/messages.ts';
import type { RunInSandbox } from '../../sandbox/sandbox.ts';
import type { Stage, StageContext } from '../pipeline/stage.ts';
import type { Lease } from './lease.ts';
import type { Task } from './task.ts';
import { type RunVerdict, StageTimeoutError, toVerdict } from './verdict.ts';

/** Runs a stage on a document until it answers, throws, or is cut short. Never throws itself. */
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
  const timer = setTimeout(
    () =>
      lease.stop(
        new StageTimeoutError(`Stage ${task.stage} took longer than ${timeoutMs / 1000} s`),
      ),
    timeoutMs,
  );
  const endsAt = monotonicNow() + timeoutMs;
  try {
    signal.throwIfAborted();
    const { lane } = task;
    const context: StageContext = {
      ...resources,
      task: { id: task.id, epoch: task.epoch },
      signal,
      timeoutMs,
      timeLeftMs: () => endsAt - monotonicNow(),
      lane,
      failures: task.failures,
      mayFail,
      workDirectory,
      intake,
      inSandbox:
        stage.sandboxed && inChild
          ? inOwnChild(inChild, { signal, timeoutMs })
          : inPool(resources, { signal, endsAt, lane }),
    };
    const run = (degraded && stage.lanes?.degrade) || stage.run;
    return await Promise.race([run(task.document, context), lease.stopped]);
  } catch (error) {
    return toVerdict(signal.aborted ? signal.reason : error);
  } finally {
    clearTimeout(timer);
    if (directory) await tidy(directory, resources);
  }
}

/** What cannot be removed costs a line in the log and never the result: work that was cut off may still write there. */
async function tidy(directory: Promise<string>, { log }: Resources): Promise<void> {
  try {
    await rm(await directory, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    log.warn({ err: error }, 'a work directory could not be removed');
  }
}

export interface PerformOptions {
  resources: Resources;
  intake: StageContext['intake'];
  lease: Lease;
  timeoutMs: number;
  /** Less than the whole is wanted, if the stage can do that. */
  degraded: boolean;
  /** There is another try. */
  mayFail: boolean;
  /** Absent where the stage has no child of its own. */
  inChild: RunInChild | undefined;
}

/** Sends a request to the child that BullMQ keeps for a queue, and returns what it answers. */
export type RunInChild = (request: ProcessorRequest, signal: AbortSignal) => Promise<unknown>;

function inOwnChild(
  run: RunInChild,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): RunInSandbox {
  return async (operation, input) => {
    const answer = outcome.parse(await run({ operation, input, timeoutMs }, signal));
    if (answer.kind === 'failed') throw fromFault(answer.fault);
    // The table is the same on both sides: what the child answers is what its function returned.
    return answer.output as never;
  };
}

function inPool(
  { sandbox }: Resources,
  { signal, endsAt, lane }: { signal: AbortSignal; endsAt: number; lane: Lane },
): RunInSandbox {
  return (operation, input) =>
    sandbox.run(operation, input, { signal, lane, timeoutMs: endsAt - monotonicNow() });
}
