import type pg from 'pg';
import { monotonicNow, SECOND } from '../../lib/time.ts';
import type { Log } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics/index.ts';
import { subjectIds } from './subject.ts';
import type { Task } from './task.ts';
import { LeaseLostError, ShutdownError } from './verdict.ts';

/** The right to work on a task. One abort signal stops the work, whatever the reason. */
export class Lease {
  readonly task: Task;
  renewedAt = monotonicNow();
  /**
   * The result is being written. From now on the fenced write decides whether the lease is valid,
   * so the keeper no longer aborts it.
   */
  settling = false;
  readonly #controller = new AbortController();
  #ended = false;
  #reject: (reason: unknown) => void = () => undefined;
  /** Rejects when the work must stop, so that work that ignores the signal is not waited for. */
  readonly stopped = new Promise<never>((_, reject) => {
    this.#reject = reject;
  });

  constructor(task: Task) {
    this.task = task;
    // Nobody may be awaiting it yet; avoids an unhandled rejection.
    this.stopped.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The lease was lost or the task is being handed back: no result can be written any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Stops the work. The lease stays valid, so the outcome can still be written. */
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
 * Never waits for a row lock. A locked row is being settled, cancelled or renewed in some other
 * lock order, so waiting could deadlock. Ownership of such a row is read without a lock.
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
 * Renews the leases of all tasks of a process. If a lease cannot be renewed, its work is aborted
 * before the lease expires, so that it has stopped by the time another worker may take the task.
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
      // A separate timer, because a renewal may be stuck on a connection that never answers.
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
    // This process may have taken the task again under a new lease while the old one was settling.
    if (this.#held.get(lease.task.id) === lease) this.#held.delete(lease.task.id);
  }

  get size(): number {
    return this.#held.size;
  }

  async renew(): Promise<void> {
    // Includes settling ones: on a slow connection the lease could expire before the write.
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
        // Times out on a silently dead connection early enough to try another one.
        query_timeout: Math.max(this.#leaseMs / 3, 2 * SECOND),
      };
      const { rows } = await this.#pool.query<{ id: string; renewed: boolean }>(query);
      const ours = new Map(rows.map(({ id, renewed }) => [id, renewed]));
      for (const held of asked) {
        const renewed = ours.get(held.task.id);
        if (renewed) held.renewedAt = askedAt;
        if (renewed === undefined) this.#lose(held, 'its lease is no longer valid');
      }
    } catch (error) {
      this.#log.warn({ err: error, tasks: asked.length }, 'could not renew leases');
    }
  }

  /** Hands all tasks back because the process is shutting down. */
  releaseAll(): void {
    for (const lease of this.#held.values())
      lease.end(new ShutdownError('The process is shutting down'));
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Stops work at 0.8 of the lease time since the last successful renewal. */
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
      { taskId: task.id, stage: task.stage, ...subjectIds(task) },
      `work stopped: ${why}`,
    );
    lease.end(new LeaseLostError(`Task ${task.id}: ${why}`));
  }
}
