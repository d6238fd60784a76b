import type { StageOverrides } from '../../config/stages.ts';
import { type Lane, type LargeFrom, lanes, queueName } from '../../domain/lane.ts';
import type { LaneRules } from '../task/lane-choice.ts';
import type { Stage } from './stage.ts';

/** The document's way ends here. */
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

/** A pipeline as the engine sees it: any table that `definePipeline` accepted. */
export type Pipeline = Readonly<Record<string, Step>>;

/** Says where each outcome of a stage leads: every label it can answer, and no other. */
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

/** The queues of a pipeline: one a stage, two where it has lanes. */
export type QueueName<P> = {
  [Name in keyof P & string]: P[Name] extends Step<infer _, true> ? Name | `${Name}-large` : Name;
}[keyof P & string];

/** Closed: every target is itself a stage of the pipeline, and no stage has the name of another's lane. */
type Closed<P> = {
  [Name in keyof P]: Name extends `${string}-${Lane}`
    ? { 'is the name of a lane': Name }
    : P[Name] extends Step<infer On>
      ? [Targets<On>] extends [keyof P]
        ? P[Name]
        : { 'leads to no stage': Exclude<Targets<On>, keyof P> }
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

/** A stage that only a newer process knows has no lanes here. */
export function findLaneRules(pipeline: Pipeline, stage: string): LaneRules {
  const laned = pipeline[stage]?.stage.lanes;
  return { laned: laned !== undefined, degrades: laned?.degrade !== undefined };
}

/** What the work of a queue may take, unless configured. */
export function defaultLimits(
  pipeline: Pipeline,
  queue: string,
): { concurrency: number; timeoutMs: number } {
  const { stage: name, lane } = parseQueueName(pipeline, queue);
  const { stage } = findStep(pipeline, name);
  return (lane === 'large' && stage.lanes?.large) || stage;
}

/** How many tasks one hint in a queue may point at. A limit that an operator has set is one of tasks. */
export function bundleSize(
  pipeline: Pipeline,
  queue: string,
  { concurrency, rate }: StageOverrides = {},
): number {
  const { stage } = findStep(pipeline, parseQueueName(pipeline, queue).stage);
  return concurrency === undefined && rate === undefined ? stage.bundle : 1;
}

/** Which stages have lanes, and who begins in the large one. */
export function listLanedStages(pipeline: Pipeline, largeFrom: LargeFrom) {
  return {
    largeFrom,
    stages: Object.keys(pipeline).filter((stage) => findLaneRules(pipeline, stage).laned),
  };
}
