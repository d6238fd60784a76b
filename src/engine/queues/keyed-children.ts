import type { Child, ChildPool } from 'bullmq';
import { cpuMsOf, mostCpuMs } from '../../sandbox/cpu-time.ts';

/** A child is replaced after this many jobs, as in our own pool. */
const mostJobs = 200;

/**
 * Makes the children that BullMQ keeps for a queue serve one key each: those of another key are
 * killed instead of being used again. BullMQ has no option for this.
 */
export class KeyedChildren {
  readonly #pool: ChildPool;
  readonly #used = new WeakMap<Child, { key: string; jobs: number }>();

  constructor(pool: ChildPool, currentKey: () => string) {
    this.#pool = pool;
    const retain = pool.retain.bind(pool);
    const release = pool.release.bind(pool);
    pool.retain = async (file) => {
      const key = currentKey();
      this.#discard((child) => this.#used.get(child)?.key !== key);
      const child = await retain(file);
      const { jobs } = this.#used.get(child) ?? { jobs: 0 };
      this.#used.set(child, { key, jobs: jobs + 1 });
      return child;
    };
    pool.release = (child) => {
      const { jobs = 0 } = this.#used.get(child) ?? {};
      release(child);
      if (jobs >= mostJobs) this.#discard((each) => each === child);
      else void this.#discardWorn(child);
    };
  }

  /** After a hostile document, none of its children is used again. */
  discardOf(key: string): void {
    this.#discard((child) => this.#used.get(child)?.key === key);
  }

  async #discardWorn(child: Child): Promise<void> {
    const usedMs = (await cpuMsOf(child.pid)) ?? 0;
    if (usedMs > mostCpuMs) this.#discard((each) => each === child);
  }

  /** Only children that are free: the others are working. */
  #discard(isUnwanted: (child: Child) => boolean): void {
    for (const child of this.#pool.getAllFree().filter(isUnwanted))
      void this.#pool.kill(child, 'SIGKILL').catch(() => undefined);
  }
}
