import type { Db } from '../../db/index.ts';
import type { Lane } from '../../domain/lane.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Resources } from '../../resources.ts';
import type { RunInSandbox } from '../../sandbox/sandbox.ts';
import type { Admission } from '../admission/admission.ts';
import type { FailureRecord, Subject } from '../task/subject.ts';
import type { Announcement, StageDocument } from '../task/task.ts';
import type { Outcome } from './outcome.ts';

/**
 * Everything a stage may use. What `run` destructures is its list of dependencies. The resources are
 * inherited: use `overlay`, not a spread, to replace a member.
 */
export interface StageContext extends Resources {
  /** The task being run, with the epoch of its lease. */
  task: { id: string; epoch: number };
  /** Aborts on timeout, on a lost lease and on shutdown. */
  signal: AbortSignal;
  timeoutMs: number;
  timeLeftMs(): number;
  lane: Lane;
  /** Earlier failures in this stage and lane. */
  failures: number;
  /** If this run fails, the task is tried again. */
  mayFail: boolean;
  /** Part of the work is committed and will not be repeated: earlier failures no longer count. */
  progressed(): Promise<void>;
  /** A directory for this run only, created on first use and removed afterwards. */
  workDirectory(): Promise<string>;
  /** Used to admit documents that the stage finds inside this one. */
  intake: { admission: Admission; announce(hints: Announcement[]): Promise<void> };
  /**
   * Runs an operation on untrusted bytes in a child process, within the time and lane of this run.
   * A `sandboxed` stage uses the child process BullMQ keeps for its queue, any other stage one from
   * the pool. Both offer the same operations.
   */
  inSandbox: RunInSandbox;
}

/** What a stage needs to insert its own tasks for a document. */
export interface Admittance {
  settings: Resources['settings'];
  insert(giveUpMs?: number): Promise<Announcement>;
}

/**
 * A second queue for documents that need more time and memory, and a reduced version of the work
 * for those that fail there too.
 */
export interface Lanes<Label extends string = string> {
  large: { concurrency: number; timeoutMs: number };
  /** The reduced version of the work, used after the full work has failed in both lanes. */
  degrade?: (document: StageDocument, context: StageContext) => Promise<Outcome<Label>>;
}

/** What a stage does if its subjects are not documents. */
export interface Work<Label extends string = string> {
  /** The kind of its subjects: `import`, `production`. */
  kind: string;
  run(subject: Subject, context: StageContext): Promise<Outcome<Label>>;
  /** Marks the subject as failed, together with its dead letter. */
  failed?(tx: Db, subject: Subject, failure: FailureRecord): Promise<unknown>;
}

export interface Stage<Label extends string = string, Laned extends boolean = boolean> {
  /** Concurrent hints per process, unless configured. */
  concurrency: number;
  timeoutMs: number;
  /**
   * How many tasks one hint may point at; they run together. More than one only for stages with
   * very little work: there the hint is the largest cost, and it does not matter that one process
   * gets all of them.
   */
  bundle: number;
  /** Its queue uses BullMQ's sandboxed processors: each task has its own child process. */
  sandboxed: boolean;
  /** Inserts the tasks of this stage when it follows another one. Default: one task. */
  admit:
    | ((tx: Db, document: StageDocument, admittance: Admittance) => Promise<Announcement[]>)
    | undefined;
  lanes: Laned extends true ? Lanes<Label> : undefined;
  run(document: StageDocument, context: StageContext): Promise<Outcome<Label>>;
  /** Replaces `run` in a stage that does not work on documents. */
  work: Work<Label> | undefined;
}

const defaults = {
  concurrency: 10,
  timeoutMs: 5 * MINUTE,
  bundle: 1,
  sandboxed: false,
  admit: undefined,
  work: undefined,
};

type Given<Label extends string> = Partial<Omit<Stage, 'run' | 'lanes' | 'work'>> &
  Pick<Stage<Label>, 'run'>;

export function defineStage<const Label extends string>(
  stage: Given<Label> & { lanes: Lanes<Label> },
): Stage<Label, true>;
export function defineStage<const Label extends string>(
  stage: Given<Label> & { lanes?: undefined },
): Stage<Label, false>;
export function defineStage<const Label extends string>(
  stage: Given<Label> & { lanes?: Lanes<Label> | undefined },
): Stage<Label, boolean> {
  return { ...defaults, lanes: undefined, ...stage };
}

/** A stage that works on something other than documents. Its tasks are inserted by `insertTask`. */
export function defineWork<const Label extends string>({
  kind,
  run,
  failed,
  ...settings
}: Partial<Pick<Stage, 'concurrency' | 'timeoutMs' | 'bundle'>> & Work<Label>): Stage<
  Label,
  false
> {
  const work = { kind, run, ...(failed && { failed }) };
  return { ...defaults, ...settings, lanes: undefined, work, run: refuseDocument };
}

async function refuseDocument(): Promise<never> {
  throw new Error('This stage does not work on documents');
}
