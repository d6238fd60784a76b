import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lane } from '../domain/lane.ts';
import { waitTurn } from '../lib/run-clock.ts';
import { Tail } from '../lib/tail.ts';
import { type CpuLimits, watchCpu } from './cpu-time.ts';
import { SandboxCpuError, SandboxCrashError, SandboxTimeoutError } from './errors.ts';
import { exitCodes } from './exit-codes.ts';
import type { Hardening } from './hardening.ts';
import { watchMemory } from './memory-watch.ts';
import { fromFault, type Request, reply } from './messages.ts';

const OUTPUT_LIMIT_BYTES = 16_384;
const START_TIMEOUT_MS = 60_000;
/** A grandchild that keeps the pipes open must not delay the report of a crash. */
const LAST_WORDS_MS = 500;

export interface RunOptions {
  signal?: AbortSignal | undefined;
  timeoutMs: number;
  /** Enforced on Linux only. */
  cpu?: CpuLimits | undefined;
  /** Selects the memory limit; `small` by default. */
  lane?: Lane | undefined;
  /** Only jobs with the same key share a process. */
  key?: string | undefined;
}

interface Job {
  operation: string;
  begun: boolean;
  onLoaded(): void;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/** One child process and its current job. It is never restarted. */
export class WorkerProcess {
  readonly exited: Promise<void>;
  readonly lane: Lane;
  /** Of the jobs that it may run; undefined until the first. */
  key: string | undefined;
  alive = true;
  jobs = 0;
  readonly #child: ChildProcess;
  readonly #output: Tail;
  readonly #memoryMb: number;
  readonly #ready: Promise<unknown>;
  #prepared: Promise<unknown> = Promise.resolve();
  #job: Job | undefined;
  /** Set when we killed the process ourselves: the error for its job. */
  #verdict: unknown;

  constructor(
    path: string,
    { execPath, execArgv, env }: Hardening,
    { lane, memoryMb }: { lane: Lane; memoryMb: number },
  ) {
    this.lane = lane;
    this.#memoryMb = memoryMb;
    const stdio: ('ignore' | 'pipe' | 'ipc')[] = ['ignore', 'pipe', 'pipe', 'ipc'];
    this.#child = fork(path, [], { execPath, execArgv, env, serialization: 'advanced', stdio });
    this.#output = new Tail(OUTPUT_LIMIT_BYTES, this.#child.stdout, this.#child.stderr);
    this.#ready = once(this.#child, 'message').catch(() => undefined);
    this.#child.on('message', (message) => this.#hear(message));
    this.exited = new Promise((resolve) => {
      const over = async (
        exitCode: number | null,
        signal: NodeJS.Signals | null,
        cause?: Error,
      ) => {
        this.alive = false;
        await Promise.race([once(this.#child, 'close'), delay(LAST_WORDS_MS)]).catch(
          () => undefined,
        );
        this.#die(exitCode, signal, cause);
        resolve();
      };
      this.#child.once('exit', over);
      this.#child.once(
        'error',
        (cause) =>
          void (this.#child.pid === undefined ? over(null, null, cause) : this.kill(cause)),
      );
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Runs a request before the first job, which waits for it. Its result does not matter. */
  prepare(request: Request): void {
    this.#prepared = this.#runNow(request, { timeoutMs: START_TIMEOUT_MS }).catch(() => undefined);
  }

  async run(request: Request, options: RunOptions): Promise<unknown> {
    await waitTurn(() => this.#prepared);
    return this.#runNow(request, options);
  }

  async #runNow(
    { operation, input }: Request,
    { signal, timeoutMs, cpu }: RunOptions,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    this.jobs += 1;
    const aborted = () => void this.kill(signal?.reason);
    const expire = (ms: number) =>
      setTimeout(() => void this.kill(new SandboxTimeoutError(operation, ms)), ms);
    signal?.addEventListener('abort', aborted);
    const limitCpu = (limitMs: number | undefined) =>
      watchCpu(this.#child.pid, limitMs, (usedMs) => {
        void this.kill(new SandboxCpuError(operation, usedMs));
      });
    const stopMemoryWatch = watchMemory(this.#child.pid, this.#memoryMb, () => {
      void this.kill(this.#outOfMemory(operation));
    });
    let stopWatching = (): void => undefined;
    const result = new Promise<unknown>((resolve, reject) => {
      const onLoaded = () => {
        stopWatching();
        stopWatching = limitCpu(cpu?.workMs);
      };
      this.#job = { operation, begun: false, onLoaded, resolve, reject };
    });
    let deadline = expire(START_TIMEOUT_MS);
    try {
      await waitTurn(() => Promise.race([this.#ready, result]));
      clearTimeout(deadline);
      deadline = expire(timeoutMs);
      stopWatching = limitCpu(cpu?.loadMs);
      this.#child.send({ operation, input } satisfies Request, (error) => {
        // The child has exited, and its exit event has not arrived yet.
        if (error) void this.kill(undefined);
      });
      return await result;
    } finally {
      clearTimeout(deadline);
      stopWatching();
      stopMemoryWatch();
      signal?.removeEventListener('abort', aborted);
    }
  }

  /** The current job, if any, fails with the reason. */
  async kill(reason: unknown): Promise<void> {
    this.#verdict ??= reason;
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  #hear(message: unknown): void {
    const heard = reply.safeParse(message);
    if (!heard.success) return void this.kill(new Error('A sandbox process sent an invalid reply'));
    if (heard.data.kind === 'ready') return;
    const job = this.#job;
    if (heard.data.kind === 'begun') {
      if (job) job.begun = true;
      return;
    }
    if (heard.data.kind === 'loaded') {
      job?.onLoaded();
      return;
    }
    this.#job = undefined;
    if (heard.data.kind === 'done') job?.resolve(heard.data.output);
    else job?.reject(fromFault(heard.data.fault));
  }

  #outOfMemory(operation: string): SandboxCrashError {
    const output = this.#output.toString();
    const death = { signal: null, exitCode: null, outOfMemory: true, begun: true, output };
    return new SandboxCrashError(operation, death);
  }

  #die(exitCode: number | null, signal: NodeJS.Signals | null, cause?: Error): void {
    const job = this.#job;
    this.#job = undefined;
    if (!job) return;
    const output = this.#output.toString();
    const outOfMemory =
      exitCode === exitCodes.outOfMemory ||
      // A SIGKILL that we did not send came from the OOM killer.
      (signal === 'SIGKILL' && !this.#verdict) ||
      /heap out of memory|bad_alloc|allocation failed/i.test(output);
    job.reject(
      this.#verdict ??
        new SandboxCrashError(
          job.operation,
          { signal, exitCode, outOfMemory, begun: job.begun, output },
          { cause },
        ),
    );
  }
}
