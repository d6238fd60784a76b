import { firstLane, type Lane, type LargeFrom, type Sized } from '../../domain/lane.ts';

/** Where a task stands in its stage: its lane, and how often it failed there. */
export interface LanePosition {
  lane: Lane;
  failures: number;
}

/** What a stage has to offer to a task that fails. */
export interface LaneRules {
  laned: boolean;
  degrades: boolean;
}

/** The lane in which a task enters a stage. What needed room in one stage needs it in the next. */
export function laneOnEntry(
  { lane, document }: { lane: Lane; document: Sized },
  { laned }: LaneRules,
  largeFrom: LargeFrom,
): Lane {
  if (!laned) return 'small';
  return lane === 'large' ? lane : firstLane(document, largeFrom);
}

/** In each lane of a stage that has two. */
const failuresPerLane = 2;

const limitPerLane = (maxAttempts: number) => Math.min(failuresPerLane, maxAttempts);

export interface FailureInLane {
  maxAttempts: number;
  /** More time or memory may be all that it needs. */
  needsRoom: boolean;
}

/**
 * Where a failure leads: to the same again, to the large lane, there to less than the whole, and at last nowhere.
 * A stage without lanes knows only the first and the last.
 */
export function laneAfterFailure(
  { lane, failures }: LanePosition,
  rules: LaneRules,
  { maxAttempts, needsRoom }: FailureInLane,
): LanePosition | undefined {
  const counted = failures + 1;
  if (!rules.laned) return counted < maxAttempts ? { lane, failures: counted } : undefined;
  const limit = limitPerLane(maxAttempts);
  if (lane === 'small' && (needsRoom || counted >= limit)) return { lane: 'large', failures: 0 };
  if (counted < limit || (counted === limit && rules.degrades)) return { lane, failures: counted };
  return undefined;
}

/** The whole was tried as often as allowed: this run does what the stage can do without it. */
export function isDegraded(
  { lane, failures }: LanePosition,
  { degrades }: LaneRules,
  maxAttempts: number,
): boolean {
  return degrades && lane === 'large' && failures >= limitPerLane(maxAttempts);
}
