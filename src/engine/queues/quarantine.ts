import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Queue } from 'bullmq';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Log } from '../../observability/logger.ts';

export interface QuarantineOptions {
  queue: Pick<Queue, 'getJobCounts'>;
  /** Command line of a process that serves only the quarantine queue. */
  command: readonly [program: string, ...args: string[]];
  env: NodeJS.ProcessEnv;
  log: Log;
}

const checkMs = 2 * SECOND;
const idleChecks = 15;

/**
 * Keeps a quarantine process running while there are suspects. A document that killed its worker
 * runs there alone, so that it cannot take other work down again. The process is stopped after it
 * has been idle for a while.
 */
export function superviseQuarantine({
  queue,
  command: [program, ...args],
  env,
  log,
}: QuarantineOptions) {
  let child: ChildProcess | undefined;
  let idle = 0;
  const check = async (): Promise<void> => {
    const jobs = await queue.getJobCounts('wait', 'active', 'prioritized', 'delayed');
    const busy = Object.values(jobs).some((count) => count > 0);
    idle = busy ? 0 : idle + 1;
    if (busy && !child) child = start();
    if (child && idle > idleChecks) child.kill('SIGTERM');
  };
  const start = (): ChildProcess => {
    log.warn('starting a quarantine process: tasks suspected of killing their worker are waiting');
    // The IPC channel closes when this process dies in any way, which tells the child to stop.
    const started = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    started.channel?.unref();
    started.once('exit', (code, signal) => {
      if (code !== 0) log.warn({ code, signal }, 'the quarantine process exited');
      child = undefined;
    });
    return started;
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
      if (!child) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      if ((await withTimeout(graceMs, exited)) === 'late') child?.kill('SIGKILL');
    },
  };
}
