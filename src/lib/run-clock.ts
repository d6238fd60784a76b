import { AsyncLocalStorage } from 'node:async_hooks';
import { monotonicNow } from './time.ts';

export interface RunLimits {
  workMs: number;
  /** All waits of the run together. */
  waitMs: number;
  /** Called once, when one of the two is used up. */
  onUsedUp(what: 'work' | 'wait'): void;
}

/** Limits the time of a run. Time in which it waits its turn is counted separately. */
export class RunClock {
  readonly #limits: RunLimits;
  readonly #usedMs = { work: 0, wait: 0 };
  #waits = 0;
  #since = monotonicNow();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: RunLimits) {
    this.#limits = limits;
    this.#arm();
  }

  get workLeftMs(): number {
    const sinceChange = this.#state === 'work' ? monotonicNow() - this.#since : 0;
    return this.#limits.workMs - this.#usedMs.work - sinceChange;
  }

  /** Waits inside `run` are counted as such. */
  during<T>(run: () => Promise<T>): Promise<T> {
    return current.run(this, run);
  }

  async waitFor<T>(turn: () => Promise<T>): Promise<T> {
    this.#change(1);
    try {
      return await turn();
    } finally {
      this.#change(-1);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #change(by: 1 | -1): void {
    const now = monotonicNow();
    this.#usedMs[this.#state] += now - this.#since;
    this.#since = now;
    this.#waits += by;
    if (this.#timer) this.#arm();
  }

  /** A run that does several things at once waits as long as one of them does. */
  get #state(): 'work' | 'wait' {
    return this.#waits > 0 ? 'wait' : 'work';
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const { workMs, waitMs, onUsedUp } = this.#limits;
    const state = this.#state;
    const limitMs = state === 'work' ? workMs : waitMs;
    this.#timer = setTimeout(() => {
      this.stop();
      onUsedUp(state);
    }, limitMs - this.#usedMs[state]);
  }
}

const current = new AsyncLocalStorage<RunClock>();

/** Waits for something that others hold. The run that this happens in, if any, is not charged. */
export function waitTurn<T>(turn: () => Promise<T>): Promise<T> {
  const clock = current.getStore();
  return clock ? clock.waitFor(turn) : turn();
}
