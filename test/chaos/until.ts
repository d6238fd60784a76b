import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicNow } from '../../src/lib/time.ts';

const pollMs = 100;

/**
 * Polls until the condition holds. Returns how long that took, or undefined after `patienceMs`. The
 * condition may throw, since the service it queries may be down.
 */
export async function until(
  condition: () => Promise<boolean>,
  patienceMs: number,
): Promise<number | undefined> {
  const begun = monotonicNow();
  for (;;) {
    const passed = monotonicNow() - begun;
    if (await condition().catch(() => false)) return passed;
    if (passed > patienceMs) return undefined;
    await sleep(pollMs);
  }
}
