import { SECOND } from '../lib/time.ts';

/**
 * Settings of every connection, in milliseconds: a stopped process inside a transaction must not
 * hold its row locks forever.
 */
export const limits = {
  statement_timeout: 30 * SECOND,
  lock_timeout: 10 * SECOND,
  idle_in_transaction_session_timeout: 15 * SECOND,
};

/** For connections that cannot be opened with them. */
export function setLimits(scope: 'local' | 'session'): string {
  return Object.entries(limits)
    .map(([name, ms]) => `set ${scope} ${name} = ${ms}`)
    .join('; ');
}
