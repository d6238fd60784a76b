import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicNow } from '../../src/lib/time.ts';

const pollMs = 100;

/** Asks until the answer is yes; how long that took, or undefined when it took too long. What we ask may itself be down. */
export async function until(
  yes: () => Promise<boolean>,
  patienceMs: number,
): Promise<number | undefined> {
  const begun = monotonicNow();
  for (;;) {
    const passed = monotonicNow() - begun;
    if (await yes().catch(() => false)) return passed;
    if (passed > patienceMs) return undefined;
    await sleep(pollMs);
  }
}
