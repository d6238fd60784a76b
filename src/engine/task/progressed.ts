import type pg from 'pg';
import type { Task } from './task.ts';

const statement = `
update tasks set failures = 0 where id = $1 and epoch = $2 and state = 'running' and failures > 0`;

/**
 * A task that gets further with each run is not failing, however often its worker dies. Its attempts
 * stay counted; only the failures that decide on lanes and giving up start anew.
 */
export async function forgiveFailures(pool: pg.Pool, task: Task): Promise<void> {
  if (task.failures === 0) return;
  await pool.query(statement, [task.id, task.epoch]);
  task.failures = 0;
}
