import { writeFileSync } from 'node:fs';
import { exitCodes } from './exit-codes.ts';

/**
 * How a child process lives: it rather dies than goes on in doubt, and not without its parent. Listeners that were there
 * before are removed: BullMQ's would report a stray error, go on, and be given the next job while dying.
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

/** If the kernel must kill something, let it be the child. */
function offerToOomKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed: the memory limit holds all the same.
  }
}
