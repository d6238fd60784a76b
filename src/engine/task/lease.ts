import { monotonicNow } from '../../lib/time.ts';
import type { Task } from './task.ts';

/** The right to work on a task, from the moment it was taken. One signal tells its work to stop, whatever the reason. */
export class Lease {
  readonly task: Task;
  renewedAt = monotonicNow();
  /** Its result is being written; whether the lease still stands is then for that write to find out. */
  settling = false;
  readonly #controller = new AbortController();
  #ended = false;
  #reject: (reason: unknown) => void = () => undefined;
  /** Rejects when the work is to stop: one that ignores the signal is not waited for. */
  readonly stopped = new Promise<never>((_, reject) => {
    this.#reject = reject;
  });

  constructor(task: Task) {
    this.task = task;
    // There may be nobody at work when it is stopped.
    this.stopped.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The task is not ours any more, or is to be handed back: waiting to write a result is of no use. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The work stops; what came of it can still be written. */
  stop(reason: Error): void {
    this.#controller.abort(reason);
    this.#reject(reason);
  }

  end(reason: Error): void {
    this.#ended = true;
    this.stop(reason);
  }
}
