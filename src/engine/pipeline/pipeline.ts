import type { StageOverrides } from '../../config/stages.ts';
import { type Lane, type LargeFrom, lanes, queueName } from '../../domain/lane.ts';
import type { LaneRules } from '../task/lane-choice.ts';
import type { Stage } from './stage.ts';

/** The end of the pipeline for a document. */
export const end = null;

type Next = string | readonly string[] | typeof end;
type Targets<On> = On[keyof On] extends infer N
  ? N extends readonly (infer Name)[]
    ? Name
    : Exclude<N, null>
  : never;

export interface Step<
  On extends Record<string, Next> = Record<string, Next>,
  Laned extends boolean = boolean,
> {
  stage: Stage<string, Laned>;
  on: On;
}

/** A pipeline as the engine sees it: any table accepted by `definePipeline`. */
export type Pipeline = Readonly<Record<string, Step>>;

/** Maps every label a stage can return, and no other, to the next stage. */
export function step<
  Label extends string,
  Laned extends boolean,
  const On extends Record<Label, Next>,
>(
  stage: Stage<Label, Laned>,
  on: On & { [Extra in Exclude<keyof On, Label>]: never },
): Step<On, Laned> {
  return { stage, on };
}

/** The queues of a pipeline: one per stage, two if it has lanes. */
export type QueueName<P> = {
  [Name in keyof P & string]: P[Name] extends Step<infer _, true> ? Name | `${Name}-large` : Name;
}[keyof P & string];

/** Every target must be a stage, and no stage may have the name of another stage's lane. */
type Closed<P> = {
  [Name in keyof P]: Name extends `${string}-${Lane}`
    ? { 'is the name of a lane': Name }
    : P[Name] extends Step<infer On>
      ? [Targets<On>] extends [keyof P]
        ? P[Name]
        : { 'leads to an unknown stage': Exclude<Targets<On>, keyof P> }
      : never;
};

export function definePipeline<const P extends Record<string, Step>>(steps: P & Closed<P>): P {
  return steps;
}

export function findStep(pipeline: Pipeline, stage: string): Step {
  const found = pipeline[stage];
  if (!found) throw new Error(`The pipeline has no stage "${stage}"`);
  return found;
}

export interface QueuePlace {
  stage: string;
  lane: Lane;
}

/** Every queue of a pipeline, in its order. */
export function listQueues(pipeline: Pipeline): (QueuePlace & { queue: string })[] {
  return Object.entries(pipeline).flatMap(
    ([
      stage,
      {
        stage: { lanes: laned },
      },
    ]) =>
      (laned ? lanes : (['small'] as const)).map((lane) => ({
        queue: queueName(stage, lane),
        stage,
        lane,
      })),
  );
}

export function queueNames(pipeline: Pipeline): string[] {
  return listQueues(pipeline).map(({ queue }) => queue);
}

export function parseQueueName(pipeline: Pipeline, queue: string): QueuePlace {
  if (pipeline[queue]) return { stage: queue, lane: 'small' };
  const stage = queue.replace(/-large$/, '');
  if (stage !== queue && pipeline[stage]?.stage.lanes) return { stage, lane: 'large' };
  throw new Error(`The pipeline has no queue "${queue}"`);
}

/** A stage known only to a newer version has no lanes here. */
export function findLaneRules(pipeline: Pipeline, stage: string): LaneRules {
  const laned = pipeline[stage]?.stage.lanes;
  return { laned: laned !== undefined, degrades: laned?.degrade !== undefined };
}

/** Default limits of a queue. */
export function defaultLimits(
  pipeline: Pipeline,
  queue: string,
): { concurrency: number; timeoutMs: number } {
  const { stage: name, lane } = parseQueueName(pipeline, queue);
  const { stage } = findStep(pipeline, name);
  return (lane === 'large' && stage.lanes?.large) || stage;
}

/** How long a run in a queue may take. */
export function findTimeout(
  pipeline: Pipeline,
  overrides: Readonly<Record<string, StageOverrides>>,
  queue: string,
): number {
  return overrides[queue]?.timeoutMs ?? defaultLimits(pipeline, queue).timeoutMs;
}

/**
 * How many tasks one hint in a queue may point at. Limits set by an operator count tasks, so with
 * them a hint points at a single task.
 */
export function bundleSize(
  pipeline: Pipeline,
  queue: string,
  { concurrency, rate }: StageOverrides = {},
): number {
  const { stage } = findStep(pipeline, parseQueueName(pipeline, queue).stage);
  return concurrency === undefined && rate === undefined ? stage.bundle : 1;
}

export function listLanedStages(pipeline: Pipeline, largeFrom: LargeFrom) {
  return {
    largeFrom,
    stages: Object.keys(pipeline).filter((stage) => findLaneRules(pipeline, stage).laned),
  };
}
