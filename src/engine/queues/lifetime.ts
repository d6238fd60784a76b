import type { Lane } from '../../domain/lane.ts';
import { laneWeight } from './lane-weight.ts';

/** Why a worker process ends although nobody told it to. */
export type Retirement = 'lifetime' | 'memory';

export interface Lifetime {
  /**
   * A task has ended, in a lane if its stage has them: it is heavy work that wears a process out. Only then is the process
   * judged: each gets something done, however tight its limits are.
   */
  spend(lane: Lane | undefined): void;
  /** Set when it is to take no more work. */
  readonly reason: Retirement | undefined;
  /** Resolves when it is to take no more work. */
  readonly over: Promise<Retirement>;
}

export interface LifetimeOptions {
  /** 0 = any number. */
  budget: number;
  memoryMb: number | undefined;
  rss?: () => number;
}

/** What a process leaks, native libraries above all, ends with it: after so much work it makes way for a new one. */
export function openLifetime({
  budget,
  memoryMb,
  rss = process.memoryUsage.rss,
}: LifetimeOptions): Lifetime {
  let spent = 0;
  let reason: Retirement | undefined;
  let end = (_: Retirement): void => undefined;
  const over = new Promise<Retirement>((resolve) => {
    end = resolve;
  });
  const judge = (): Retirement | undefined => {
    if (budget > 0 && spent >= budget) return 'lifetime';
    return memoryMb !== undefined && rss() > memoryMb * 2 ** 20 ? 'memory' : undefined;
  };
  return {
    spend(lane) {
      spent += lane ? laneWeight[lane] : 0;
      reason ??= judge();
      if (reason) end(reason);
    },
    get reason() {
      return reason;
    },
    over,
  };
}
