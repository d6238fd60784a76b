import { watchdog } from '../lib/watchdog.ts';
import { exitCodes } from './exit-codes.ts';
import { guardProcess } from './guard-process.ts';
import { type Outcome, processorRequest } from './messages.ts';
import { operations } from './operations.ts';
import { runOperation } from './run-operation.ts';

guardProcess();

/**
 * The same child as the pool's, as BullMQ starts it for the queue of a sandboxed stage. BullMQ cannot stop a child that
 * is busy, so this one watches its own deadline.
 */
export default async function runJob(
  job: { data: unknown },
  _token: string,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { timeoutMs, ...given } = processorRequest.parse(job.data);
  const callOff = watchdog(timeoutMs);
  // Native work cannot be interrupted; the process is cheap to replace.
  signal?.addEventListener('abort', () => process.exit(exitCodes.aborted));
  try {
    return await runOperation(operations, given);
  } finally {
    await callOff();
  }
}
