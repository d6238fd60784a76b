import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Resources } from '../resources.ts';
import type { Stage } from './stage.ts';
import type { Task } from './task.ts';
import { StageTimeoutError, type Verdict, verdictOf } from './verdict.ts';

/** Runs a stage on a document until it answers, throws, or is cut short. Never throws itself. */
export async function perform(
  stage: Stage,
  task: Task,
  { resources, lease, timeoutMs, inChild }: PerformOptions,
): Promise<Verdict> {
  const controller = new AbortController();
  const { signal } = controller;
  let directory: Promise<string> | undefined;
  const workDirectory = () => {
    directory ??= mkdtemp(join(tmpdir(), 'millrace-'));
    return directory;
  };
  let cutShort = (_: unknown): void => undefined;
  // By hand and not by AbortSignal.any, whose weak references cost more than all the rest of a task that does nothing.
  const interrupted = new Promise<never>((_, reject) => {
    cutShort = (reason) => {
      controller.abort(reason);
      reject(reason);
    };
  });
  const leaseLost = () => cutShort(lease.reason);
  const timer = setTimeout(
    () => cutShort(new StageTimeoutError(`Stage ${task.stage} took longer than ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  lease.addEventListener('abort', leaseLost);
  try {
    if (lease.aborted) leaseLost();
    const context = {
      ...resources,
      task: { id: task.id, epoch: task.epoch },
      signal,
      workDirectory,
      inChild: (work: unknown) => inChild(work, signal),
    };
    // A stage that ignores its signal is not waited for.
    return await Promise.race([stage.run(task.document, context), interrupted]);
  } catch (error) {
    return verdictOf(signal.aborted ? signal.reason : error);
  } finally {
    clearTimeout(timer);
    lease.removeEventListener('abort', leaseLost);
    if (directory) await rm(await directory, { recursive: true, force: true });
  }
}

export interface PerformOptions {
  resources: Resources;
  lease: AbortSignal;
  timeoutMs: number;
  inChild: RunInChild;
}

export type RunInChild = (work: unknown, signal: AbortSignal) => Promise<unknown>;
