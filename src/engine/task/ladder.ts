import type { Lane } from '../../domain/lane.ts';

/** Where a task stands in its stage: its lane, and how often it failed there. */
export interface Standing {
  lane: Lane;
  failures: number;
}

/** What a stage has to offer to a task that fails. */
export interface Ladder {
  laned: boolean;
  degrades: boolean;
}

/** In each lane of a stage that has two. */
const failuresALane = 2;

const limitOf = (maxAttempts: number) => Math.min(failuresALane, maxAttempts);

export interface Failure {
  maxAttempts: number;
  /** More time or memory may be all that it needs. */
  needsRoom: boolean;
}

/**
 * Where a failure leads: to the same again, to the large lane, there to less than the whole, and at last nowhere.
 * A stage without lanes knows only the first and the last.
 */
export function climb({ lane, failures }: Standing, ladder: Ladder, failure: Failure): Standing | undefined {
  const counted = failures + 1;
  if (!ladder.laned) return counted < failure.maxAttempts ? { lane, failures: counted } : undefined;
  const limit = limitOf(failure.maxAttempts);
  if (lane === 'small' && (failure.needsRoom || counted >= limit)) return { lane: 'large', failures: 0 };
  if (counted < limit || (counted === limit && ladder.degrades)) return { lane, failures: counted };
  return undefined;
}

/** The whole was tried as often as it may be: this run does what the stage can do without it. */
export function isDegraded({ lane, failures }: Standing, { degrades }: Ladder, maxAttempts: number): boolean {
  return degrades && lane === 'large' && failures >= limitOf(maxAttempts);
}
