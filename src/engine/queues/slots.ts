import { SECOND } from '../../lib/time.ts';
import type { CapacitySlot } from './capacity.ts';

interface QueueShare {
  weight: number;
  most: number;
  running: number;
  allowed: number;
  allow(tasks: number): void;
}

/** A queue that does not use its priority for this long lost its job to another process. */
const reservedForMs = 2 * SECOND;

/**
 * The units of work a process can run at once, shared by its queues. Each queue's concurrency is
 * adjusted to the free units, so that no job is fetched that would have to wait here.
 */
export class Slots {
  readonly #total: number;
  #free: number;
  readonly #shares = new Set<QueueShare>();
  /**
   * The queue that found no capacity. Others take nothing until there is enough for it; otherwise a
   * large task could wait for ever.
   */
  #first: QueueShare | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  /** A task with more units than the total takes all of them. */
  open(
    { units, most }: { units: number; most: number },
    allow: (tasks: number) => void,
  ): CapacitySlot {
    const share: QueueShare = {
      weight: Math.min(units, this.#total),
      most,
      running: 0,
      allowed: most,
      allow,
    };
    this.#shares.add(share);
    this.#balance();
    const fits = () => this.#free >= share.weight && (this.#first ?? share) === share;
    return {
      enter: () => {
        const entered = fits();
        if (entered) this.#take(share, 1);
        else this.#first ??= share;
        this.#balance();
        return entered;
      },
      leave: () => {
        this.#take(share, -1);
        this.#balance();
      },
      get full() {
        return !fits();
      },
    };
  }

  #take(share: QueueShare, tasks: 1 | -1): void {
    share.running += tasks;
    this.#free -= tasks * share.weight;
    if (tasks > 0 && this.#first === share) this.#first = undefined;
  }

  #balance(): void {
    for (const share of this.#shares) {
      const room = (this.#first ?? share) === share ? Math.floor(this.#free / share.weight) : 0;
      const allowed = Math.min(share.most, share.running + room);
      if (allowed === share.allowed) continue;
      share.allowed = allowed;
      share.allow(allowed);
    }
    clearTimeout(this.#timer);
    const first = this.#first;
    if (!first || this.#free < first.weight) return;
    this.#timer = setTimeout(() => {
      this.#first = undefined;
      this.#balance();
    }, reservedForMs);
    this.#timer.unref();
  }
}
