import { type Job, Worker, type WorkerOptions } from 'bullmq';
import { SandboxCrashError } from '../../sandbox/errors.ts';
import type { Hardening } from '../../sandbox/hardening.ts';
import { processorEntry } from '../../sandbox/sandbox.ts';
import type { RunInChild } from '../task/perform.ts';
import type { JobData } from '../task/task.ts';

export type Handle = (job: Job<JobData>, inChild: RunInChild) => Promise<void>;

/**
 * A BullMQ worker with a sandboxed processor. The parent takes and settles the task, because only
 * it has the credentials of Postgres, Redis and storage. Only sandbox requests cross into the
 * child.
 */
export class SandboxedWorker extends Worker<JobData, unknown> {
  readonly #handle: Handle;

  constructor(
    name: string,
    handle: Handle,
    { execPath, execArgv, env }: Hardening,
    options: WorkerOptions,
  ) {
    super(name, processorEntry.path, {
      ...options,
      workerForkOptions: { execPath, execArgv, env },
      autorun: false,
    });
    this.#handle = handle;
  }

  protected override callProcessJob(job: Job<JobData>, token: string): Promise<unknown> {
    return this.#handle(job, async (request, signal) => {
      try {
        return await this.processFn(withData(job, request), token, signal);
      } catch (error) {
        throw toCrash(error) ?? error;
      }
    });
  }
}

/** The job as the child sees it, with the request in place of the hint. */
function withData(job: Job<JobData>, data: unknown): Job<JobData> {
  return Object.create(job, { data: { value: data, enumerable: true } });
}

/** BullMQ reports the death of a child process only in the text of the error. */
function toCrash(error: unknown): SandboxCrashError | undefined {
  const match =
    error instanceof Error
      ? /^Unexpected exit code: (\w+) signal: (\w+)$/.exec(error.message)
      : null;
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
