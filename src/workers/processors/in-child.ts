import type { z } from 'zod';
import { watchdog } from '../../lib/watchdog.ts';
import { exitCodes } from '../../sandbox/exit-codes.ts';
import { guardProcess } from '../../sandbox/guard-process.ts';

/** The child's half of a stage, forked by BullMQ: work on files, within its time and without a key to anything. */
export function inChild<Work extends { timeoutMs: number }, Output>(
  work: z.ZodType<Work>,
  run: (work: Work) => Promise<Output>,
) {
  guardProcess();
  return async (job: { data: unknown }, _token: string, signal?: AbortSignal): Promise<Output> => {
    const given = work.parse(job.data);
    const callOff = watchdog(given.timeoutMs);
    // Native work cannot be interrupted; the process is cheap to replace.
    signal?.addEventListener('abort', () => process.exit(exitCodes.aborted));
    try {
      return await run(given);
    } finally {
      await callOff();
    }
  };
}
