import { z } from 'zod';
import { MINUTE } from '../../lib/time.ts';

/** What the scripts answer of a provider: now, failures, end of the breaker's time, end of the pause. */
export const known = z.tuple([z.int(), z.int(), z.int(), z.int()]);
type Known = z.infer<typeof known>;

/** What one process remembers of a provider, so that a Redis that lost its data can be told. */
export class ProviderSnapshot {
  /** Of the state that this process knows, or has told what it knows. */
  incarnation = '';
  #calls: number[] = [];
  #failures = 0;
  #openUntil = 0;
  #pausedUntil = 0;

  /** Takes note of the shared state, and of a call of this process. */
  note([now, failures, openUntil, pausedUntil]: Known, called = false): void {
    this.#calls = this.#calls.filter((at) => at > now - MINUTE);
    if (called) this.#calls.push(now);
    this.#failures = failures;
    this.#openUntil = openUntil;
    this.#pausedUntil = pausedUntil;
  }

  /** As the script takes it. */
  serialize(): number[] {
    return [this.#failures, this.#openUntil, this.#pausedUntil, ...this.#calls];
  }
}
