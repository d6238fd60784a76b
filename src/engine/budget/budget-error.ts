import { explainHeld, type Held } from '../../domain/held.ts';

/**
 * The call would exceed a cost ceiling. The document is held until the ceiling is raised or the day
 * (UTC) ends, without a time limit.
 */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  readonly held: Held;
  /** Time until midnight UTC. */
  readonly waitMs: number;
  constructor(held: Held, waitMs: number) {
    super(`${explainHeld(held)}.`);
    this.held = held;
    this.waitMs = waitMs;
  }
}
