import { writeFileSync } from 'node:fs';
import { exitCodes } from './exit-codes.ts';

/**
 * Makes a child process exit on any uncaught error and when its parent disappears. Existing
 * listeners are removed: BullMQ's listener would report the error and accept the next job while the
 * process is dying.
 */
export function guardProcess(): void {
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error?.stack ?? error}\n`);
    process.exit(exitCodes.strayError);
  });
  process.on('disconnect', () => process.exit(exitCodes.parentGone));
  offerToOomKiller();
}

/** The kernel should kill the child first when memory runs out. */
function offerToOomKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not permitted. The memory limit still applies.
  }
}
