import { SECOND } from '../../lib/time.ts';

export interface Entrance {
  /** Begins a task, or answers false: there is no room for it. */
  enter(): boolean;
  leave(): void;
  /** Whether another task of this queue would find no room right now. */
  readonly full: boolean;
}

interface Door {
  weight: number;
  most: number;
  running: number;
  allowed: number;
  allow(tasks: number): void;
}

/** Whoever waits for room and does not use it in this time has lost its work to another process. */
const patienceMs = 2 * SECOND;

/**
 * The units of work that a process has room for, shared by its queues. Each queue is told how many tasks it may have
 * under way, so that nothing is fetched that would have to wait here.
 */
export class Slots {
  readonly #total: number;
  #free: number;
  readonly #doors = new Set<Door>();
  /** Found no room: the others stand back until there is enough for it, or a large task would wait for ever. */
  #first: Door | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  /** A task that is larger than the whole takes all of it. */
  open({ units, most }: { units: number; most: number }, allow: (tasks: number) => void): Entrance {
    const door: Door = { weight: Math.min(units, this.#total), most, running: 0, allowed: most, allow };
    this.#doors.add(door);
    this.#balance();
    const fits = () => this.#free >= door.weight && (this.#first ?? door) === door;
    return {
      enter: () => {
        const entered = fits();
        if (entered) this.#take(door, 1);
        else this.#first ??= door;
        this.#balance();
        return entered;
      },
      leave: () => {
        this.#take(door, -1);
        this.#balance();
      },
      get full() {
        return !fits();
      },
    };
  }

  #take(door: Door, tasks: 1 | -1): void {
    door.running += tasks;
    this.#free -= tasks * door.weight;
    if (tasks > 0 && this.#first === door) this.#first = undefined;
  }

  #balance(): void {
    for (const door of this.#doors) {
      const room = (this.#first ?? door) === door ? Math.floor(this.#free / door.weight) : 0;
      const allowed = Math.min(door.most, door.running + room);
      if (allowed === door.allowed) continue;
      door.allowed = allowed;
      door.allow(allowed);
    }
    clearTimeout(this.#timer);
    const first = this.#first;
    if (!first || this.#free < first.weight) return;
    this.#timer = setTimeout(() => {
      this.#first = undefined;
      this.#balance();
    }, patienceMs);
    this.#timer.unref();
  }
}
