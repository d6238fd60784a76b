import { type Job, Worker, type WorkerOptions } from 'bullmq';
import { z } from 'zod';
import { problem } from '../../domain/problem.ts';
import { PermanentError } from '../../errors.ts';
import { SandboxCrashError } from '../../sandbox/errors.ts';
import type { RunInChild } from '../task/perform.ts';
import type { JobData } from '../task/task.ts';

export type Handle = (job: Job<JobData>, inChild: RunInChild) => Promise<void>;

/**
 * A BullMQ worker with a sandboxed processor, and the engine around it: the task is taken and settled here in the
 * parent, which alone holds keys to Postgres, Redis and storage; only the work itself, as plain data, crosses into the
 * child. BullMQ cannot stop a child that is busy: the processor watches its own deadline (`lib/watchdog.ts`).
 */
export class SandboxedWorker extends Worker<JobData, unknown> {
  readonly #handle: Handle;

  constructor(name: string, processor: string, handle: Handle, options: WorkerOptions) {
    super(name, processor, { ...options, autorun: false });
    this.#handle = handle;
  }

  protected override callProcessJob(job: Job<JobData>, token: string): Promise<unknown> {
    return this.#handle(job, async (work, signal) => {
      try {
        return await this.processFn(withData(job, work), token, signal);
      } catch (error) {
        throw crashOf(error) ?? permanentErrorOf(error) ?? error;
      }
    });
  }
}

/** The same job as the child sees it: with the work in place of the hint. */
function withData(job: Job<JobData>, data: unknown): Job<JobData> {
  return Object.create(job, { data: { value: data, enumerable: true } });
}

/** BullMQ tells the death of a child in words only. */
function crashOf(error: unknown): SandboxCrashError | undefined {
  const match = error instanceof Error ? /^Unexpected exit code: (\w+) signal: (\w+)$/.exec(error.message) : null;
  if (!match) return undefined;
  const signal = match[2] === 'null' ? null : (match[2] as NodeJS.Signals);
  const exitCode = match[1] === 'null' ? null : Number(match[1]);
  return new SandboxCrashError('the processor', {
    signal,
    exitCode,
    outOfMemory: signal === 'SIGABRT',
    begun: true,
    output: '',
  });
}

/** Errors cross from a child with their properties, but without their class. */
function permanentErrorOf(error: unknown): PermanentError | undefined {
  const crossed = z
    .object({ name: z.literal('PermanentError'), code: problem.shape.code, message: z.string() })
    .safeParse(error);
  return crossed.success ? new PermanentError(crossed.data.code, crossed.data.message, { cause: error }) : undefined;
}
