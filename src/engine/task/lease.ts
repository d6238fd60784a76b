import type pg from 'pg';
import { monotonicNow, SECOND } from '../../lib/time.ts';
import type { Log } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics/index.ts';
import type { Task } from './task.ts';
import { LeaseLostError, ShutdownError } from './verdict.ts';

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

/**
 * Waits for nobody: what is locked is being settled, ended or renewed, in another order, which could end in a deadlock.
 * Whether it is still ours is read without a lock.
 */
const statement = `
with asked as (select * from unnest($1::uuid[], $2::int[]) as a(id, epoch)),
ours as materialized (
  select t.id from asked a join tasks t on t.id = a.id
   where t.epoch = a.epoch and t.state = 'running' and t.lease_until > now()),
free as materialized (
  select t.id from asked a join tasks t on t.id = a.id
   where t.epoch = a.epoch and t.state = 'running' and t.lease_until > now()
     for no key update of t skip locked),
renewed as (
  update tasks t set lease_until = least(now() + $3 * interval '1 millisecond', t.deadline)
    from free where t.id = free.id
  returning t.id)
select ours.id, renewed.id is not null as renewed from ours left join renewed on renewed.id = ours.id`;

/**
 * One renewer for all the tasks of a process. A task whose lease cannot be renewed is aborted before the lease lapses,
 * so that its work has stopped by the time someone else may begin.
 */
export class LeaseKeeper {
  readonly #held = new Map<string, Lease>();
  readonly #pool: pg.Pool;
  readonly #leaseMs: number;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #timers: NodeJS.Timeout[];

  constructor({
    pool,
    leaseMs,
    log,
    metrics,
  }: { pool: pg.Pool; leaseMs: number; log: Log; metrics: Metrics }) {
    this.#pool = pool;
    this.#leaseMs = leaseMs;
    this.#log = log;
    this.#metrics = metrics;
    this.#timers = [
      setInterval(() => void this.renew(), leaseMs / 3),
      // On its own, for a renewal may wait for an answer that never comes.
      setInterval(() => this.#stopOverdue(), leaseMs / 10),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  hold(task: Task): Lease {
    const lease = new Lease(task);
    this.#held.set(task.id, lease);
    return lease;
  }

  drop(lease: Lease): void {
    // The task may have come back here under another lease while this one was still being settled.
    if (this.#held.get(lease.task.id) === lease) this.#held.delete(lease.task.id);
  }

  get size(): number {
    return this.#held.size;
  }

  async renew(): Promise<void> {
    // Also those that are to be settled: on a slow line their turn may come later than the lease would last.
    const asked = [...this.#held.values()];
    if (asked.length === 0) return;
    try {
      const askedAt = monotonicNow();
      const query = {
        name: 'renew',
        text: statement,
        values: [
          asked.map(({ task }) => task.id),
          asked.map(({ task }) => task.epoch),
          this.#leaseMs,
        ],
        // A connection that is dead without saying so is given up in time for another to be tried.
        query_timeout: Math.max(this.#leaseMs / 3, 2 * SECOND),
      };
      const { rows } = await this.#pool.query<{ id: string; renewed: boolean }>(query);
      const ours = new Map(rows.map(({ id, renewed }) => [id, renewed]));
      for (const held of asked) {
        const renewed = ours.get(held.task.id);
        if (renewed) held.renewedAt = askedAt;
        if (renewed === undefined) this.#lose(held, 'its lease was taken away');
      }
    } catch (error) {
      this.#log.warn({ err: error, tasks: asked.length }, 'leases could not be renewed');
    }
  }

  /** Hands everything back: the process ends. */
  releaseAll(): void {
    for (const lease of this.#held.values()) lease.end(new ShutdownError('The process ends'));
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** 0.8 of the lease after the last success the work must stop, whatever the reason was. */
  #stopOverdue(): void {
    for (const held of this.#held.values()) {
      if (monotonicNow() - held.renewedAt > this.#leaseMs * 0.8)
        this.#lose(held, 'its lease could not be renewed in time');
    }
  }

  #lose(lease: Lease, why: string): void {
    if (lease.settling || lease.ended) return;
    const { task } = lease;
    this.#metrics.leaseLost(task.stage);
    this.#log.warn(
      { taskId: task.id, stage: task.stage, documentId: task.document.id },
      `work stopped: ${why}`,
    );
    lease.end(new LeaseLostError(`Task ${task.id}: ${why}`));
  }
}
