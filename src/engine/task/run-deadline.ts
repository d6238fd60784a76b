import type pg from 'pg';
import { settleMs } from './take.ts';
import type { Task } from './task.ts';

const statement = `
update tasks set deadline = now() + $3 * interval '1 millisecond'
 where id = $1 and epoch = $2 and state = 'running'`;

/**
 * Returns the time limit of this run: the stage's, or the one set on the ingestion. In the second
 * case the deadline in the task is moved too, because leases are renewed only up to it.
 */
export async function setRunDeadline(pool: pg.Pool, task: Task, usualMs: number): Promise<number> {
  const { timeoutMs } = task.document.ingestion.overrides;
  if (timeoutMs === undefined) return usualMs;
  await pool.query(statement, [task.id, task.epoch, timeoutMs + settleMs]);
  return timeoutMs;
}
