import { runningReplays } from '../db/replays.ts';
import type { IntervalJob } from '../engine/schedule/scheduler.ts';
import { monotonicNow, SECOND } from '../lib/time.ts';
import { advanceReplay } from '../lifecycle/advance-replay.ts';

/** A pass ends after this time, so that the process can stop. */
const passMs = 10 * SECOND;
const portion = 100;

/** Advances bulk replays in portions. After a crash they continue where they stopped. */
export const replayDeadLetters: IntervalJob = {
  everyMs: 2 * SECOND,
  async run({ database: { db }, queues: { announce }, admission }) {
    const until = monotonicNow() + passMs;
    let handled = 0;
    for (let before = -1; before < handled && monotonicNow() < until; ) {
      before = handled;
      for (const id of await runningReplays(db))
        handled += await advanceReplay(db, id, { ...admission, announce }, portion);
    }
    return { handled };
  },
};
