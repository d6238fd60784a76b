import { MINUTE, monotonicNow } from '../../lib/time.ts';
import type { Queues } from './queues.ts';

/** With work in the queue and nothing under way, this long without a task taken is a standstill. */
const patienceMs = 3 * MINUTE;

/** What the workers of this process took from their queues, to tell a standstill from having nothing to do. */
export class Progress {
  readonly #stages: Map<string, { running: number; movedAt: number }>;
  #excuse: (stage: string) => boolean = () => false;
  readonly #now: () => number;

  constructor(stages: readonly string[], now = monotonicNow) {
    this.#stages = new Map(stages.map((stage) => [stage, { running: 0, movedAt: now() }]));
    this.#now = now;
  }

  /** Nothing is expected of stages for which this holds. */
  excuse(when: (stage: string) => boolean): void {
    this.#excuse = when;
  }

  /** Takes part in a run from its beginning to its end. */
  async during<T>(stage: string, run: () => Promise<T>): Promise<T> {
    this.#move(stage, 1);
    try {
      return await run();
    } finally {
      this.#move(stage, -1);
    }
  }

  /** Why this process is not alive: queues with work that it takes nothing from. A Redis that does not answer proves nothing. */
  async stallReason(queues: Queues): Promise<string | undefined> {
    for (const stage of this.#stages.keys()) if (this.#excuse(stage)) this.#move(stage, 0);
    const idle = [...this.#stages].filter(
      ([, { running, movedAt }]) => running === 0 && this.#now() - movedAt > patienceMs,
    );
    const stuck = await Promise.all(
      idle.map(async ([stage]) =>
        (await hasWork(queues, stage).catch(() => false)) ? [stage] : [],
      ),
    );
    const names = stuck.flat();
    return names.length === 0
      ? undefined
      : `There is work in ${names.join(', ')}, and none of it is taken`;
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
