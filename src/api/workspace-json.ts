import type { Workspace } from '../db/workspaces.ts';
import { toDollars } from '../domain/money.ts';
import { shownCeiling } from './ceiling.ts';

/** A workspace as callers see it: money in dollars. */
export function workspaceJson({ dailyBudgetMicros, ...shown }: Workspace, spentMicros?: number) {
  return {
    ...shown,
    dailyBudget: shownCeiling(dailyBudgetMicros),
    ...(spentMicros !== undefined && { spentToday: toDollars(spentMicros) }),
  };
}
