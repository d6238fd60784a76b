import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailableError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';

/**
 * SQLSTATE classes: connection exception, insufficient resources, operator intervention, system
 * error; and the state of a server that is read-only, as during a failover.
 */
const states = /^(08|53|57|58|25006)/;
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const messages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;

/** Whether Postgres was unreachable or read-only, as opposed to refusing a statement. */
export function isOutage(error: unknown): boolean {
  // Its cause has the same codes, but it is storage that cannot be reached.
  if (!(error instanceof Error) || error instanceof StorageUnavailableError) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && (codes.has(code) || states.test(code))) return true;
  return messages.test(error.message) || isOutage(error.cause);
}

/** Serialization failures, deadlocks and lock timeouts. */
const conflicts = /^(40|55P03)/;

/** Whether a retry may succeed: Postgres is unreachable, or concurrent transactions conflicted. */
export function isPassing(error: unknown): boolean {
  if (isOutage(error)) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (typeof code === 'string' && conflicts.test(code)) || isPassing(error.cause);
}

/** Retries transient failures with growing delays, as long as `isOfUse` returns true. */
export async function throughOutage<T>(work: () => Promise<T>, isOfUse: () => boolean): Promise<T> {
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * SECOND, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!isOfUse() || !isPassing(error)) throw error;
      await sleep(pauseMs);
    }
  }
}
