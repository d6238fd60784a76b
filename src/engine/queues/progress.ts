import { MINUTE, monotonicNow } from '../../lib/time.ts';
import type { Queues } from './queues.ts';

/** Stalled: jobs are waiting, nothing runs, and no task was taken for this long. */
const stalledAfterMs = 3 * MINUTE;

/** Tracks what this process takes from its queues, to tell a stall from an empty queue. */
export class Progress {
  readonly #stages: Map<string, { running: number; movedAt: number }>;
  #excuse: (stage: string) => boolean = () => false;
  readonly #now: () => number;

  constructor(stages: readonly string[], now = monotonicNow) {
    this.#stages = new Map(stages.map((stage) => [stage, { running: 0, movedAt: now() }]));
    this.#now = now;
  }

  /** Stages for which this holds are not expected to take work. */
  excuse(when: (stage: string) => boolean): void {
    this.#excuse = when;
  }

  /** Counts a run as in progress while it lasts. */
  async during<T>(stage: string, run: () => Promise<T>): Promise<T> {
    this.#move(stage, 1);
    try {
      return await run();
    } finally {
      this.#move(stage, -1);
    }
  }

  /**
   * Reports queues that have work this process takes nothing from; undefined if it is healthy. A
   * Redis that does not answer proves nothing and is ignored.
   */
  async stallReason(queues: Queues): Promise<string | undefined> {
    for (const stage of this.#stages.keys()) if (this.#excuse(stage)) this.#move(stage, 0);
    const idle = [...this.#stages].filter(
      ([, { running, movedAt }]) => running === 0 && this.#now() - movedAt > stalledAfterMs,
    );
    const stuck = await Promise.all(
      idle.map(async ([stage]) =>
        (await hasWork(queues, stage).catch(() => false)) ? [stage] : [],
      ),
    );
    const names = stuck.flat();
    return names.length === 0
      ? undefined
      : `Stalled: jobs are waiting in ${names.join(', ')}, but none is taken`;
  }

  #move(stage: string, by: number): void {
    const figures = this.#stages.get(stage);
    if (figures) this.#stages.set(stage, { running: figures.running + by, movedAt: this.#now() });
  }
}

async function hasWork({ byStage }: Queues, stage: string): Promise<boolean> {
  const queue = byStage.get(stage);
  if (!queue) return false;
  const [waiting, paused, limitedMs] = await Promise.all([
    queue.getJobCountByTypes('waiting', 'prioritized'),
    queue.isPaused(),
    queue.getRateLimitTtl(),
  ]);
  return waiting > 0 && !paused && limitedMs <= 0;
}
