import type pg from 'pg';
import { monotonicNow } from '../lib/time.ts';
import type { Log } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Task } from './task.ts';
import { LeaseLostError, ShutdownError } from './verdict.ts';

interface Held {
  task: Task;
  controller: AbortController;
  renewedAt: number;
  /** Its result is being written; whether the lease still stands is then for that write to find out. */
  settling: boolean;
}

const statement = `
update tasks t
   set lease_until = least(now() + $3 * interval '1 millisecond', t.deadline)
  from unnest($1::uuid[], $2::int[]) as h(id, epoch)
 where t.id = h.id and t.epoch = h.epoch and t.state = 'running' and t.lease_until > now()
returning t.id`;

/**
 * One renewer for all the tasks of a process. A task whose lease cannot be renewed is aborted before the lease lapses,
 * so that its work has stopped by the time someone else may begin.
 */
export class Leases {
  readonly #held = new Map<string, Held>();
  readonly #pool: pg.Pool;
  readonly #leaseMs: number;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #timer: NodeJS.Timeout;

  constructor({ pool, leaseMs, log, metrics }: { pool: pg.Pool; leaseMs: number; log: Log; metrics: Metrics }) {
    this.#pool = pool;
    this.#leaseMs = leaseMs;
    this.#log = log;
    this.#metrics = metrics;
    this.#timer = setInterval(() => void this.renew(), leaseMs / 3);
    this.#timer.unref();
  }

  hold(task: Task): AbortSignal {
    const controller = new AbortController();
    this.#held.set(task.id, { task, controller, renewedAt: monotonicNow(), settling: false });
    return controller.signal;
  }

  settling(task: Task): void {
    const held = this.#held.get(task.id);
    if (held) held.settling = true;
  }

  drop(task: Task): void {
    this.#held.delete(task.id);
  }

  get size(): number {
    return this.#held.size;
  }

  async renew(): Promise<void> {
    // Those being settled are locked by that statement, in another order: asking for them could end in a deadlock.
    const asked = [...this.#held.values()].filter(({ settling }) => !settling);
    if (asked.length === 0) return;
    try {
      const askedAt = monotonicNow();
      const { rows } = await this.#pool.query<{ id: string }>({
        name: 'renew',
        text: statement,
        values: [asked.map(({ task }) => task.id), asked.map(({ task }) => task.epoch), this.#leaseMs],
      });
      const renewed = new Set(rows.map(({ id }) => id));
      for (const held of asked) {
        if (renewed.has(held.task.id)) held.renewedAt = askedAt;
        else this.#lose(held, 'its lease was taken away');
      }
    } catch (error) {
      this.#log.warn({ err: error, tasks: asked.length }, 'leases could not be renewed');
    }
    // 0.8 of the lease after the last success the work must stop, whatever the reason was.
    for (const held of asked) {
      if (monotonicNow() - held.renewedAt > this.#leaseMs * 0.8)
        this.#lose(held, 'its lease could not be renewed in time');
    }
  }

  /** Hands everything back: the process ends. */
  releaseAll(): void {
    for (const { controller } of this.#held.values()) controller.abort(new ShutdownError('The process ends'));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #lose({ task, controller, settling }: Held, why: string): void {
    if (settling || controller.signal.aborted) return;
    this.#metrics.leaseLost(task.stage);
    this.#log.warn({ taskId: task.id, stage: task.stage, documentId: task.document.id }, `work stopped: ${why}`);
    controller.abort(new LeaseLostError(`Task ${task.id}: ${why}`));
  }
}
