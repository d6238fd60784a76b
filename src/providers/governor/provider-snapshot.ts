import { z } from 'zod';
import { MINUTE } from '../../lib/time.ts';

/** Provider state as returned by the scripts: now, failures, openUntil, pausedUntil. */
export const known = z.tuple([z.int(), z.int(), z.int(), z.int()]);
type Known = z.infer<typeof known>;

/** What one process knows about a provider, to restore the state of a Redis that lost its data. */
export class ProviderSnapshot {
  /** Incarnation of the shared state that includes this snapshot. */
  incarnation = '';
  #calls: number[] = [];
  #failures = 0;
  #openUntil = 0;
  #pausedUntil = 0;

  /** Records the shared state, and optionally a call of this process. */
  note([now, failures, openUntil, pausedUntil]: Known, called = false): void {
    this.#calls = this.#calls.filter((at) => at > now - MINUTE);
    if (called) this.#calls.push(now);
    this.#failures = failures;
    this.#openUntil = openUntil;
    this.#pausedUntil = pausedUntil;
  }

  /** As arguments of `recallScript`. */
  serialize(): number[] {
    return [this.#failures, this.#openUntil, this.#pausedUntil, ...this.#calls];
  }
}
