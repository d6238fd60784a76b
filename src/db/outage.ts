import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../lib/time.ts';

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention, system error. */
const states = /^(08|53|57|58)/;
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

/** Whether Postgres could not be asked, as opposed to having refused. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && (codes.has(code) || states.test(code))) return true;
  return messages.test(error.message) || isOutage(error.cause);
}

/** Serialization failures and deadlocks, and a lock that was not to be had in time. */
const conflicts = /^(40|55P03)/;

/** Whether the same may well succeed in a moment: Postgres is away, or others were in the way. */
export function isPassing(error: unknown): boolean {
  if (isOutage(error)) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (typeof code === 'string' && conflicts.test(code)) || isPassing(error.cause);
}

/** Tries again while Postgres is away or others are in the way, as long as it is of any use. */
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
