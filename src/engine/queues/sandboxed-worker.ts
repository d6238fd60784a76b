import { ChildPool, type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Share } from '../../domain/sandbox-share.ts';
import { SandboxCrashError } from '../../sandbox/errors.ts';
import type { Hardening } from '../../sandbox/hardening.ts';
import { fromFault, outcome } from '../../sandbox/messages.ts';
import { processorEntry } from '../../sandbox/sandbox.ts';
import { shareKey } from '../../sandbox/share.ts';
import { isSuspicious } from '../../sandbox/suspicious.ts';
import type { RunInChild } from '../task/perform.ts';
import type { JobData } from '../task/task.ts';
import { KeyedChildren } from './keyed-children.ts';

export type Handle = (job: Job<JobData>, inChild: RunInChild) => Promise<void>;

export interface SandboxedOptions {
  hardening: Hardening;
  share: Share;
}

/**
 * A BullMQ worker with a sandboxed processor. The parent takes and settles the task, because only
 * it has the credentials of Postgres, Redis and storage. Only sandbox requests cross into the
 * child.
 */
export class SandboxedWorker extends Worker<JobData, unknown> {
  readonly #handle: Handle;
  readonly #children: KeyedChildren;
  readonly #share: Share;

  constructor(
    name: string,
    handle: Handle,
    { hardening: { execPath, execArgv, env }, share }: SandboxedOptions,
    options: WorkerOptions,
  ) {
    super(name, processorEntry.path, {
      ...options,
      workerForkOptions: { execPath, execArgv, env },
      autorun: false,
    });
    this.#handle = handle;
    this.#share = share;
    // BullMQ declares it private and offers no other way to choose the child of a job.
    const pool: unknown = Reflect.get(this, 'childPool');
    if (!(pool instanceof ChildPool)) throw new Error('BullMQ keeps its children elsewhere');
    this.#children = new KeyedChildren(pool, () => shareKey(share));
  }

  protected override callProcessJob(job: Job<JobData>, token: string): Promise<unknown> {
    return this.#handle(job, async (request, signal) => {
      try {
        const answer = outcome.parse(await this.processFn(withData(job, request), token, signal));
        if (answer.kind === 'failed' && isSuspicious(fromFault(answer.fault)))
          this.#children.discardOf(shareKey(this.#share));
        return answer;
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
