import { waitTurn } from './run-clock.ts';

/** A counting semaphore; waiters are served first come, first served. */
export class Semaphore {
  #free: number;
  #closed: Error | undefined;
  readonly #waiting = new Set<{ enter: () => void; leave: (reason: unknown) => void }>();

  constructor(places: number) {
    this.#free = places;
  }

  async acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#closed) throw this.#closed;
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await this.#wait(signal);
  }

  release(): void {
    const [next] = this.#waiting;
    if (next) next.enter();
    else this.#free += 1;
  }

  /** Runs a function that needs a place. Waiting for one is not charged to the run that does. */
  async hold<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    await waitTurn(() => this.acquire(signal));
    try {
      return await run();
    } finally {
      this.release();
    }
  }

  /** Rejects all current and future waiters. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const waiting of this.#waiting) waiting.leave(reason);
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#waiting.delete(place);
        signal?.removeEventListener('abort', aborted);
      };
      const place = {
        enter: () => {
          done();
          resolve();
        },
        leave: (reason: unknown) => {
          done();
          reject(reason);
        },
      };
      const aborted = () => place.leave(signal?.reason);
      signal?.addEventListener('abort', aborted);
      this.#waiting.add(place);
    });
  }
}
