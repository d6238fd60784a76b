import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Queue } from 'bullmq';
import { SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Log } from '../../observability/logger.ts';

export interface QuarantineOptions {
  queue: Pick<Queue, 'getJobCounts'>;
  /** The command line of a process that works on the quarantine queue and nothing else. */
  command: readonly [program: string, ...args: string[]];
  env: NodeJS.ProcessEnv;
  log: Log;
}

const checkMs = 2 * SECOND;
const idleChecks = 15;

/**
 * Keeps a quarantine process while there are suspects: a document that killed its worker runs there, so that if it kills
 * again, it kills nobody else's work. The process ends when it has been idle for a while.
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
    log.warn('suspects are waiting: starting a quarantine process for them');
    // The channel tells the child when we are gone, however we went.
    const started = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    started.channel?.unref();
    started.once('exit', (code, signal) => {
      if (code !== 0) log.warn({ code, signal }, 'the quarantine process ended');
      child = undefined;
    });
    return started;
  };
  const timer = setInterval(
    () => void check().catch((error: unknown) => log.debug({ err: error }, 'quarantine check')),
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
