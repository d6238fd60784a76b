import type { Db } from '../../db/index.ts';
import type { Held } from '../../domain/held.ts';
import type { ProblemCode } from '../../domain/problem.ts';

/** Writes the results of a stage, atomically with the move to the next stage. */
export type Save = (tx: Db) => Promise<unknown>;

/** What a stage may return. A thrown error asks for another attempt. */
export type Outcome<Label extends string = string> =
  /** Go on to the stage the pipeline's table gives for this label. */
  | { kind: 'done'; label: Label; save: Save | undefined; completes?: boolean }
  /** Not now: try again later. No attempt is charged. */
  | {
      kind: 'snooze';
      ms: number;
      reason: string;
      save: Save | undefined;
      exact: boolean;
      held: Held | undefined;
      outage: Outage | undefined;
    }
  /** Fail for good with a dead letter. */
  | { kind: 'reject'; code: ProblemCode; reason: string };

/** What a task waits for, if it is part of the installation and not a vendor. */
export type Outage = 'storage';

export function done<const Label extends string>(label: Label, save?: Save): Outcome<Label> {
  return { kind: 'done', label, save };
}

/** A `done` that also completes the ingestion. Completions are grouped into one statement. */
export function complete<const Label extends string>(label: Label, save?: Save): Outcome<Label> {
  return { kind: 'done', label, save, completes: true };
}

export interface SnoozeOptions {
  /** Commits with the move, as with `done`. */
  save?: Save;
  /** The other side asked for this delay, so it is not capped. */
  exact?: boolean;
  /** Waits for budget. It may wait without limit, and is released early when there is budget. */
  held?: Held;
  /** Waits longer each time, because nobody knows when an outage ends. */
  outage?: Outage;
}

export function snooze(
  ms: number,
  reason: string,
  { save, exact = false, held, outage }: SnoozeOptions = {},
): Outcome<never> {
  return { kind: 'snooze', ms, reason, save, exact, held, outage };
}

export function reject(code: ProblemCode, reason: string): Outcome<never> {
  return { kind: 'reject', code, reason };
}
