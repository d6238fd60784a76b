import type { Stage } from './stage.ts';

/** The document's way ends here. */
export const end = null;

type Next = string | readonly string[] | typeof end;
type Targets<On> = On[keyof On] extends infer N ? (N extends readonly (infer Name)[] ? Name : Exclude<N, null>) : never;

export interface Step<On extends Record<string, Next> = Record<string, Next>> {
  stage: Stage;
  on: On;
}

/** A pipeline as the engine sees it: any table that `definePipeline` accepted. */
export type Pipeline = Readonly<Record<string, Step>>;

/** Says where each outcome of a stage leads: every label it can answer, and no other. */
export function step<Label extends string, const On extends Record<Label, Next>>(
  stage: Stage<Label>,
  on: On & { [Extra in Exclude<keyof On, Label>]: never },
): Step<On> {
  return { stage, on };
}

/** Closed: every target is itself a stage of the pipeline. */
type Closed<P> = {
  [Name in keyof P]: P[Name] extends Step<infer On>
    ? [Targets<On>] extends [keyof P]
      ? P[Name]
      : { 'leads to no stage': Exclude<Targets<On>, keyof P> }
    : never;
};

export function definePipeline<const P extends Record<string, Step>>(steps: P & Closed<P>): P {
  return steps;
}

export function stepOf(pipeline: Pipeline, stage: string): Step {
  const found = pipeline[stage];
  if (!found) throw new Error(`The pipeline has no stage "${stage}"`);
  return found;
}
