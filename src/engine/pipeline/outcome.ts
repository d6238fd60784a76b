import type { Db } from '../../db/index.ts';
import type { Held } from '../../domain/held.ts';
import type { ProblemCode } from '../../domain/problem.ts';

/** Writes what a stage found; commits together with the move to the next stage, or not at all. */
export type Save = (tx: Db) => Promise<unknown>;

/** What a stage may answer. Anything thrown asks for another attempt. */
export type Outcome<Label extends string = string> =
  /** Go on to where the pipeline's table says this label leads. */
  | { kind: 'done'; label: Label; save: Save | undefined; completes?: boolean }
  /** Not now: come back later, no attempt is charged. */
  | {
      kind: 'snooze';
      ms: number;
      reason: string;
      save: Save | undefined;
      exact: boolean;
      held: Held | undefined;
    }
  /** Never: a dead letter. */
  | { kind: 'reject'; code: ProblemCode; reason: string };

export function done<const Label extends string>(label: Label, save?: Save): Outcome<Label> {
  return { kind: 'done', label, save };
}

/** The ingestion is complete: a `done` that ends it, for many documents by one statement. */
export function complete<const Label extends string>(label: Label, save?: Save): Outcome<Label> {
  return { kind: 'done', label, save, completes: true };
}

export interface SnoozeOptions {
  /** Commits with the move, as with `done`. */
  save?: Save;
  /** The time was asked for by the other side: it is kept, however long it is. */
  exact?: boolean;
  /** Money is what it waits for: it may take any time, and ends early when there is some. */
  held?: Held;
}

export function snooze(
  ms: number,
  reason: string,
  { save, exact = false, held }: SnoozeOptions = {},
): Outcome<never> {
  return { kind: 'snooze', ms, reason, save, exact, held };
}

export function reject(code: ProblemCode, reason: string): Outcome<never> {
  return { kind: 'reject', code, reason };
}
