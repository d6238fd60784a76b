import type { Lane } from '../domain/lane.ts';
import type { EntryPoint } from '../lib/entry-point.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { SandboxClosedError, SandboxCrashError } from './errors.ts';
import { type Hardening, harden } from './hardening.ts';
import type { Request } from './messages.ts';
import type { InputOf, OperationTable, OutputOf } from './operation.ts';
import { type RunOptions, WorkerProcess } from './worker-process.ts';

export interface PoolOptions {
  processes: number;
  memoryMb: number;
  /** The same, of a process that works for the large lane; no more when absent. */
  largeMemoryMb?: number;
  /** Jobs after which a process is replaced, so that nothing a document leaves behind lives long. */
  recycleAfter: number;
}

/** Child processes, started when needed and kept warm. The death of one is the error of its own job and of no other. */
export class Pool<Table extends OperationTable> {
  readonly #entry: EntryPoint;
  readonly #options: PoolOptions;
  readonly #hardening: Record<Lane, Hardening>;
  readonly #places: Semaphore;
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
    this.#places = new Semaphore(options.processes);
  }

  async run<Name extends keyof Table & string>(
    operation: Name,
    input: InputOf<Table, Name>,
    options: RunOptions,
  ): Promise<OutputOf<Table, Name>> {
    await this.#places.acquire(options.signal);
    try {
      // The table is the same on both sides: what the child answers is what its function returned.
      return (await this.#runOnce({ operation, input }, options)) as OutputOf<Table, Name>;
    } finally {
      this.#places.release();
    }
  }

  async #runOnce(request: Request, options: RunOptions): Promise<unknown> {
    const worker = this.#take(options.lane ?? 'small');
    try {
      return await worker.run(request, options);
    } catch (error) {
      // A warm process can die before the news of it arrives here: then the job goes to another.
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
    this.#places.close(closed);
    await Promise.all([...this.#all].map((worker) => worker.kill(closed)));
  }

  #take(lane: Lane): WorkerProcess {
    const warm = [...this.#idle].filter(({ alive }) => alive);
    const worker = warm.find((each) => each.lane === lane) ?? this.#start(lane, warm[0]);
    this.#idle.delete(worker);
    return worker;
  }

  /** There are never more than allowed: one that waits for work of the other lane gives way. */
  #start(lane: Lane, other: WorkerProcess | undefined): WorkerProcess {
    if (other && this.#all.size >= this.#options.processes) {
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
    if (worker.alive && worker.jobs < this.#options.recycleAfter) this.#idle.add(worker);
    else await worker.kill(new SandboxClosedError());
  }
}
