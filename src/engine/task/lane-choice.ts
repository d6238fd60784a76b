import { firstLane, type Lane, type LargeFrom, type Sized } from '../../domain/lane.ts';

/** The lane of a task and its failures there. */
export interface LanePosition {
  lane: Lane;
  failures: number;
}

/** The options a stage has for a failing task. */
export interface LaneRules {
  laned: boolean;
  degrades: boolean;
}

/** The lane in which a task enters a stage. A task that needed the large lane stays in it. */
export function laneOnEntry(
  { lane, document }: { lane: Lane; document: Sized | null },
  { laned }: LaneRules,
  largeFrom: LargeFrom,
): Lane {
  if (!laned) return 'small';
  return lane === 'large' || !document ? lane : firstLane(document, largeFrom);
}

/** Applies to each lane of a stage with two lanes. */
const failuresPerLane = 2;

const limitPerLane = (maxAttempts: number) => Math.min(failuresPerLane, maxAttempts);

export interface FailureInLane {
  maxAttempts: number;
  /** The failure may be cured by more time or memory. */
  needsRoom: boolean;
}

/**
 * The next step after a failure, in order: retry in the same lane, move to the large lane, run
 * there degraded, give up (undefined). A stage without lanes only retries or gives up.
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

/** The full work has used up its attempts; this run does the stage's reduced version. */
export function isDegraded(
  { lane, failures }: LanePosition,
  { degrades }: LaneRules,
  maxAttempts: number,
): boolean {
  return degrades && lane === 'large' && failures >= limitPerLane(maxAttempts);
}
