import type { Lane } from '../domain/lane.ts';
import type { EntryPoint } from '../lib/entry-point.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { SandboxClosedError, SandboxCrashError } from './errors.ts';
import { type Hardening, harden } from './hardening.ts';
import type { Request } from './messages.ts';
import type { InputOf, OperationTable, OutputOf } from './operation.ts';
import { residentMb } from './resident-memory.ts';
import { type RunOptions, WorkerProcess } from './worker-process.ts';

export interface PoolOptions {
  /** For each lane. Together they have one more, so that neither waits for the other. */
  processes: number;
  memoryMb: number;
  /** Limit for processes of the large lane; `memoryMb` when absent. */
  largeMemoryMb?: number;
  /** A process is replaced after this many jobs, so that leaks and leftovers do not accumulate. */
  recycleAfter: number;
}

/** Child processes, started on demand and reused. A crash fails only the job of that process. */
export class Pool<Table extends OperationTable> {
  readonly #entry: EntryPoint;
  readonly #options: PoolOptions;
  readonly #hardening: Record<Lane, Hardening>;
  readonly #places: Record<Lane | 'all', Semaphore>;
  readonly #all = new Set<WorkerProcess>();
  readonly #idle = new Set<WorkerProcess>();

  constructor(entry: EntryPoint, options: PoolOptions) {
    this.#entry = entry;
    this.#options = options;
    const { memoryMb, largeMemoryMb = memoryMb } = options;
    const { execArgv } = entry;
    this.#hardening = {
      small: harden({ memoryMb, execArgv }),
      large: harden({ memoryMb: largeMemoryMb, execArgv }),
    };
    this.#places = {
      small: new Semaphore(options.processes),
      large: new Semaphore(options.processes),
      all: new Semaphore(options.processes + 1),
    };
  }

  async run<Name extends keyof Table & string>(
    operation: Name,
    input: InputOf<Table, Name>,
    options: RunOptions,
  ): Promise<OutputOf<Table, Name>> {
    const { all, [options.lane ?? 'small']: lane } = this.#places;
    // Parent and child share the table, so the reply is what the function returned.
    return lane.hold(options.signal, () =>
      all.hold(options.signal, () => this.#runOnce({ operation, input }, options)),
    ) as Promise<OutputOf<Table, Name>>;
  }

  async #runOnce(request: Request, options: RunOptions): Promise<unknown> {
    const worker = this.#take(options.lane ?? 'small');
    try {
      return await worker.run(request, options);
    } catch (error) {
      // An idle process can die before we notice. The job has not started, so it goes to another
      // one.
      const isStale = error instanceof SandboxCrashError && !error.begun && worker.jobs > 1;
      if (!isStale) throw error;
    } finally {
      await this.#giveBack(worker);
    }
    return await this.#runOnce(request, options);
  }

  describe(): string {
    const { processes, recycleAfter } = this.#options;
    return `${processes} processes, ${this.#hardening.small.description}; replaced after ${recycleAfter} jobs`;
  }

  async close(): Promise<void> {
    const closed = new SandboxClosedError();
    for (const places of Object.values(this.#places)) places.close(closed);
    await Promise.all([...this.#all].map((worker) => worker.kill(closed)));
  }

  #take(lane: Lane): WorkerProcess {
    const warm = [...this.#idle].filter(({ alive }) => alive);
    const worker = warm.find((each) => each.lane === lane) ?? this.#start(lane, warm[0]);
    this.#idle.delete(worker);
    return worker;
  }

  /** At the limit, an idle process of the other lane is killed to make room. */
  #start(lane: Lane, other: WorkerProcess | undefined): WorkerProcess {
    if (other && this.#all.size > this.#options.processes) {
      this.#idle.delete(other);
      void other.kill(new SandboxClosedError());
    }
    const worker = new WorkerProcess(this.#entry.path, this.#hardening[lane], lane);
    this.#all.add(worker);
    void worker.exited.then(() => {
      this.#all.delete(worker);
      this.#idle.delete(worker);
    });
    return worker;
  }

  async #giveBack(worker: WorkerProcess): Promise<void> {
    const isWorn = worker.jobs >= this.#options.recycleAfter || (await this.#isSwollen(worker));
    if (worker.alive && !isWorn) this.#idle.add(worker);
    else await worker.kill(new SandboxClosedError());
  }

  /**
   * Whether a process of the large lane still holds so much of what a document needed that too
   * little is left for the next one.
   */
  async #isSwollen({ lane, pid }: WorkerProcess): Promise<boolean> {
    if (lane !== 'large') return false;
    const { memoryMb, largeMemoryMb = memoryMb } = this.#options;
    return (await residentMb(pid)) > largeMemoryMb / 2;
  }
}
