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
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new StageTimeoutError(`Stage ${task.stage} took longer than ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  const signal = AbortSignal.any([lease, timeout.signal]);
  let directory: Promise<string> | undefined;
  const workDirectory = () => {
    directory ??= mkdtemp(join(tmpdir(), 'millrace-'));
    return directory;
  };
  try {
    const context = {
      ...resources,
      task: { id: task.id, epoch: task.epoch },
      signal,
      workDirectory,
      inChild: (work: unknown) => inChild(work, signal),
    };
    // A stage that ignores its signal is not waited for.
    return await Promise.race([stage.run(task.document, context), aborted(signal)]);
  } catch (error) {
    return verdictOf(signal.aborted ? signal.reason : error);
  } finally {
    clearTimeout(timer);
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

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
