import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Queue } from 'bullmq';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Log } from '../../observability/logger.ts';

export interface QuarantineOptions {
  queue: Pick<Queue, 'getJobCounts'>;
  /** How many may run at once. */
  processes: number;
  /** Command line of a process that serves only the quarantine queue. */
  command: readonly [program: string, ...args: string[]];
  env: NodeJS.ProcessEnv;
  log: Log;
}

const checkMs = 2 * SECOND;
const idleChecks = 15;

/**
 * Keeps quarantine processes running while there are suspects, one per suspect up to the limit. A
 * document that killed its worker runs alone in one of them, so that it cannot take other work down
 * again. The processes are stopped after there were no suspects for a while.
 */
export function superviseQuarantine({
  queue,
  processes,
  command: [program, ...args],
  env,
  log,
}: QuarantineOptions) {
  const children = new Set<ChildProcess>();
  let idle = 0;
  const check = async (): Promise<void> => {
    const jobs = await queue.getJobCounts('wait', 'active', 'prioritized', 'delayed');
    const suspects = Object.values(jobs).reduce((sum, count) => sum + count, 0);
    idle = suspects > 0 ? 0 : idle + 1;
    while (children.size < Math.min(suspects, processes)) start();
    if (idle > idleChecks) for (const child of children) child.kill('SIGTERM');
  };
  const start = (): void => {
    log.warn('starting a quarantine process: tasks suspected of killing their worker are waiting');
    // The IPC channel closes when this process dies in any way, which tells the child to stop.
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.channel?.unref();
    child.once('exit', (code, signal) => {
      if (code !== 0) log.warn({ code, signal }, 'a quarantine process exited');
      children.delete(child);
    });
    children.add(child);
  };
  const timer = setInterval(
    () =>
      void check().catch((error: unknown) => log.debug({ err: error }, 'quarantine check failed')),
    checkMs,
  );
  timer.unref();
  return {
    async stop(graceMs: number): Promise<void> {
      clearInterval(timer);
      await Promise.all([...children].map((child) => stopChild(child, graceMs)));
    },
  };
}

async function stopChild(child: ChildProcess, graceMs: number): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  if ((await withTimeout(graceMs, exited)) === 'late') child.kill('SIGKILL');
}
