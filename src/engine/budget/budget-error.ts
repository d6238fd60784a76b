import { explainHeld, type Held } from '../../domain/held.ts';

/** A ceiling would be passed: nothing is bought before it is raised or the day is over, however long that takes. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  readonly held: Held;
  /** Until the next day in UTC. */
  readonly waitMs: number;
  constructor(held: Held, waitMs: number) {
    super(`${explainHeld(held)}.`);
    this.held = held;
    this.waitMs = waitMs;
  }
}
