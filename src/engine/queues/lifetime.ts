import type { Lane } from '../../domain/lane.ts';
import { laneWeight } from './lane-weight.ts';

/** Why a worker process retires by itself. */
export type Retirement = 'lifetime' | 'memory';

export interface Lifetime {
  /**
   * Called when a task ends, with its lane if the stage has lanes: only heavy work wears out a
   * process. Limits are checked only here, so every process completes at least one task, however
   * tight its limits are.
   */
  spend(lane: Lane | undefined): void;
  /** Set when the process must take no more work. */
  readonly reason: Retirement | undefined;
  /** Resolves when the process must take no more work. */
  readonly over: Promise<Retirement>;
}

export interface LifetimeOptions {
  /** 0 = unlimited. */
  budget: number;
  memoryMb: number | undefined;
  rss?: () => number;
}

/**
 * Bounds memory leaks, mainly of native libraries: after a certain amount of work a process is
 * replaced by a new one.
 */
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
