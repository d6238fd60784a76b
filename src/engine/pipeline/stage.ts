import type { Db } from '../../db/index.ts';
import type { Lane } from '../../domain/lane.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Resources } from '../../resources.ts';
import type { RunInSandbox } from '../../sandbox/sandbox.ts';
import type { Admission } from '../admission/admission.ts';
import type { Announcement, StageDocument } from '../task/task.ts';
import type { Outcome } from './outcome.ts';

/** Everything a stage may use. Its first line, by what it takes from here, is its list of dependencies. */
export interface StageContext extends Resources {
  /** The task that is being worked on, and the epoch of its lease. */
  task: { id: string; epoch: number };
  /** Aborts when the time is up, the lease is lost or the process ends. */
  signal: AbortSignal;
  /** How long this run may take. */
  timeoutMs: number;
  /** What is left of it. */
  timeLeftMs(): number;
  lane: Lane;
  /** How often it failed in this stage and lane. */
  failures: number;
  /** If it fails now it is tried again. */
  mayFail: boolean;
  /** A directory for this run alone, made when first asked for and removed afterwards. */
  workDirectory(): Promise<string>;
  /** How documents that a stage finds come in. */
  intake: { admission: Admission; announce(hints: Announcement[]): Promise<void> };
  /**
   * Runs an operation on hostile bytes in a child process, within this run's time and lane. A stage whose queue is
   * `sandboxed` gets the child that BullMQ keeps for it, any other one of the pool's: they are the same inside.
   */
  inSandbox: RunInSandbox;
}

/** What a stage needs to make its tasks for a document. */
export interface Admittance {
  settings: Resources['settings'];
  insert(giveUpMs?: number): Promise<Announcement>;
}

/** A second queue for documents that need more time and memory, and what can be done for those that fail there as well. */
export interface Lanes<Label extends string = string> {
  large: { concurrency: number; timeoutMs: number };
  /** Does less than the whole, after the whole has failed in both lanes. */
  degrade?: (document: StageDocument, context: StageContext) => Promise<Outcome<Label>>;
}

export interface Stage<Label extends string = string, Laned extends boolean = boolean> {
  /** Hints at once in one process, unless configured. */
  concurrency: number;
  timeoutMs: number;
  /**
   * How many tasks one hint may point at; they run together. More than one only where the work is next to nothing:
   * then the hint is the dearest part of it, and it does not matter that one process gets them all.
   */
  bundle: number;
  /** Its queue is served by BullMQ's sandboxed processors: each of its tasks has a child process to itself. */
  sandboxed: boolean;
  /** Makes the tasks of this stage that follow another: as many as it likes. One when absent. */
  admit:
    | ((tx: Db, document: StageDocument, admittance: Admittance) => Promise<Announcement[]>)
    | undefined;
  lanes: Laned extends true ? Lanes<Label> : undefined;
  run(document: StageDocument, context: StageContext): Promise<Outcome<Label>>;
}

const defaults = {
  concurrency: 10,
  timeoutMs: 5 * MINUTE,
  bundle: 1,
  sandboxed: false,
  admit: undefined,
};

type Given<Label extends string> = Partial<Omit<Stage, 'run' | 'lanes'>> &
  Pick<Stage<Label>, 'run'>;

export function defineStage<const Label extends string>(
  stage: Given<Label> & { lanes: Lanes<Label> },
): Stage<Label, true>;
export function defineStage<const Label extends string>(
  stage: Given<Label> & { lanes?: undefined },
): Stage<Label, false>;
export function defineStage<const Label extends string>(
  stage: Given<Label> & { lanes?: Lanes<Label> | undefined },
) {
  return { ...defaults, lanes: undefined, ...stage };
}
