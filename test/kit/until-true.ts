import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 60_000;

/** Asks until the answer is yes. A question that fails is asked again. */
export async function untilTrue(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isTrue().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`Waited too long: ${what}`);
    await sleep(50);
  }
}
