import type { Lane } from '../domain/lane.ts';
import type { EntryPoint } from '../lib/entry-point.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { cpuMsOf, mostCpuMs } from './cpu-time.ts';
import { SandboxClosedError, SandboxCrashError } from './errors.ts';
import { type Hardening, type HardeningOptions, harden } from './hardening.ts';
import type { Request } from './messages.ts';
import type { InputOf, OperationTable, OutputOf } from './operation.ts';
import { residentMb } from './resident-memory.ts';
import { isSuspicious } from './suspicious.ts';
import { type RunOptions, WorkerProcess } from './worker-process.ts';

export interface PoolOptions extends Pick<HardeningOptions, 'fileMb' | 'hidden'> {
  /** For each lane. Together they have one more, so that neither waits for the other. */
  processes: number;
  memoryMb: number;
  /** Limit for processes of the large lane; `memoryMb` when absent. */
  largeMemoryMb?: number;
  /** A process is replaced after this many jobs, so that leaks and leftovers do not accumulate. */
  recycleAfter: number;
  /** What a process loads while it waits for its first job, if others of the pool have run this. */
  warmUp?: ((operation: string) => Request | undefined) | undefined;
}

/**
 * Child processes, started on demand and reused by jobs with the same key. A crash fails only the
 * job of that process.
 */
export class Pool<Table extends OperationTable> {
  readonly #entry: EntryPoint;
  readonly #options: PoolOptions;
  readonly #hardening: Record<Lane, Hardening>;
  readonly #places: Record<Lane | 'all', Semaphore>;
  readonly #all = new Set<WorkerProcess>();
  readonly #idle = new Set<WorkerProcess>();
  /** Started and not used yet, so that a job with a new key need not wait for the start. */
  readonly #spare = new Map<Lane, WorkerProcess>();
  #warmUp: Request | undefined;

  constructor(entry: EntryPoint, options: PoolOptions) {
    this.#entry = entry;
    this.#options = options;
    const { memoryMb, largeMemoryMb = memoryMb, fileMb, hidden } = options;
    const common = { fileMb, hidden, execArgv: entry.execArgv };
    this.#hardening = {
      small: harden({ memoryMb, ...common }),
      large: harden({ memoryMb: largeMemoryMb, ...common }),
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
    const worker = this.#take(options.lane ?? 'small', options.key ?? '');
    let isHostile = false;
    this.#warmUp ??= this.#options.warmUp?.(request.operation);
    try {
      return await worker.run(request, options);
    } catch (error) {
      isHostile = isSuspicious(error);
      // An idle process can die before we notice. The job has not started, so it goes to another
      // one.
      const isStale = error instanceof SandboxCrashError && !error.begun && worker.jobs > 1;
      if (!isStale) throw error;
    } finally {
      await this.#giveBack(worker, isHostile);
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
    const all = [...this.#all, ...this.#spare.values()];
    this.#spare.clear();
    await Promise.all(all.map((worker) => worker.kill(closed)));
  }

  #take(lane: Lane, key: string): WorkerProcess {
    const warm = [...this.#idle].filter(({ alive }) => alive);
    const worker = warm.find((each) => each.lane === lane && each.key === key);
    if (worker) {
      this.#idle.delete(worker);
      return worker;
    }
    const others = warm.some((each) => each.key !== key);
    const fresh = this.#admit(lane, warm[0]);
    fresh.key = key;
    if (others) this.#prepareSpare(lane);
    return fresh;
  }

  /** At the limit, the process that has been idle longest is killed to make room. */
  #admit(lane: Lane, oldest: WorkerProcess | undefined): WorkerProcess {
    if (oldest && this.#all.size > this.#options.processes) {
      this.#idle.delete(oldest);
      void oldest.kill(new SandboxClosedError());
    }
    const spare = this.#spare.get(lane);
    this.#spare.delete(lane);
    const worker = spare?.alive ? spare : this.#start(lane);
    this.#all.add(worker);
    void worker.exited.then(() => {
      this.#all.delete(worker);
      this.#idle.delete(worker);
    });
    return worker;
  }

  /** Only where keys alternate: a single workspace never needs one. */
  #prepareSpare(lane: Lane): void {
    const spare = this.#start(lane);
    this.#spare.set(lane, spare);
    if (this.#warmUp) spare.prepare(this.#warmUp);
  }

  #start(lane: Lane): WorkerProcess {
    return new WorkerProcess(this.#entry.path, this.#hardening[lane], {
      lane,
      memoryMb: this.#memoryMb(lane),
    });
  }

  #memoryMb(lane: Lane): number {
    const { memoryMb, largeMemoryMb = memoryMb } = this.#options;
    return lane === 'large' ? largeMemoryMb : memoryMb;
  }

  async #giveBack(worker: WorkerProcess, isHostile: boolean): Promise<void> {
    const isWorn =
      isHostile ||
      worker.jobs >= this.#options.recycleAfter ||
      ((await cpuMsOf(worker.pid)) ?? 0) > mostCpuMs ||
      (await this.#isSwollen(worker));
    if (worker.alive && !isWorn) this.#idle.add(worker);
    else await worker.kill(new SandboxClosedError());
  }

  /**
   * Whether a process of the large lane still holds so much of what a document needed that too
   * little is left for the next one.
   */
  async #isSwollen({ lane, pid }: WorkerProcess): Promise<boolean> {
    return lane === 'large' && (await residentMb(pid)) > this.#memoryMb(lane) / 2;
  }
}
