import type pg from 'pg';
import { settleMs } from './take.ts';
import type { Task } from './task.ts';

const statement = `
update tasks set deadline = now() + $3 * interval '1 millisecond'
 where id = $1 and epoch = $2 and state = 'running'`;

/** How long this run may take: as usual, or as its ingestion asks, and then the lease may be renewed for that long. */
export async function setRunDeadline(pool: pg.Pool, task: Task, usualMs: number): Promise<number> {
  const { timeoutMs } = task.document.ingestion.overrides;
  if (timeoutMs === undefined) return usualMs;
  await pool.query(statement, [task.id, task.epoch, timeoutMs + settleMs]);
  return timeoutMs;
}
