import type { EntryPoint } from '../lib/entry-point.ts';
import { MINUTE } from '../lib/time.ts';
import type { Resources } from '../resources.ts';
import type { Outcome } from './outcome.ts';
import type { StageDocument } from './task.ts';

/** Everything a stage may use. Its first line, by what it takes from here, is its list of dependencies. */
export interface StageContext extends Resources {
  /** Aborts when the time is up, the lease is lost or the process ends. */
  signal: AbortSignal;
  /** A directory for this run alone, made when first asked for and removed afterwards. */
  workDirectory(): Promise<string>;
  /** Runs the stage's `processor` in a child process that can be killed. */
  inChild(work: unknown): Promise<unknown>;
}

export interface Stage<Label extends string = string> {
  /** Tasks at once in one process, unless configured. */
  concurrency: number;
  timeoutMs: number;
  /** A module whose default export does the CPU-bound part in a child process (a BullMQ sandboxed processor). */
  processor: EntryPoint | undefined;
  run(document: StageDocument, context: StageContext): Promise<Outcome<Label>>;
}

const defaults = { concurrency: 10, timeoutMs: 5 * MINUTE, processor: undefined };

export function defineStage<const Label extends string>(
  stage: Partial<Omit<Stage, 'run'>> & Pick<Stage<Label>, 'run'>,
): Stage<Label> {
  return { ...defaults, ...stage };
}
