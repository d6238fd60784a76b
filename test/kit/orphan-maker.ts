import { entryPoint } from '../../src/lib/entry-point.ts';
import { Pool } from '../../src/sandbox/pool.ts';
import type { hostile } from './hostile-child.ts';

/**
 * Starts two sandbox children, one idle and one in a busy loop, prints their process IDs, and waits
 * to be killed.
 */
const pool = new Pool<typeof hostile>(entryPoint(import.meta.url, 'hostile-child'), {
  processes: 2,
  memoryMb: 512,
  recycleAfter: 100,
});
const timeoutMs = 120_000;
const pids = await Promise.all([
  pool.run('pid', undefined, { timeoutMs }),
  pool.run('pid', undefined, { timeoutMs }),
]);
void pool.run('loop', undefined, { timeoutMs }).catch(() => undefined);
process.send?.(pids);
