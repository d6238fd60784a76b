import { watchdog } from '../lib/watchdog.ts';
import { exitCodes } from './exit-codes.ts';
import { guardProcess } from './guard-process.ts';
import { type Outcome, processorRequest } from './messages.ts';
import { operations } from './operations.ts';
import { runOperation } from './run-operation.ts';

guardProcess();

/**
 * The child of the pool in the form that BullMQ starts for a sandboxed stage. BullMQ cannot stop a
 * busy child, so this one enforces its own deadline.
 */
export default async function runJob(
  job: { data: unknown },
  _token: string,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { timeoutMs, ...given } = processorRequest.parse(job.data);
  const cancelWatchdog = watchdog(timeoutMs);
  // Native code cannot be interrupted, and a process is cheap to replace.
  signal?.addEventListener('abort', () => process.exit(exitCodes.aborted));
  try {
    return await runOperation(operations, given);
  } finally {
    await cancelWatchdog();
  }
}
