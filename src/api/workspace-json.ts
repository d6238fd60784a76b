import type { Workspace } from '../db/workspaces.ts';
import { dollarsOf } from '../domain/money.ts';

/** A workspace as callers see it: money in dollars. */
export function workspaceJson({ dailyBudgetMicros, ...shown }: Workspace, spentMicros?: number) {
  return {
    ...shown,
    dailyBudget: dailyBudgetMicros === null ? null : dollarsOf(dailyBudgetMicros),
    ...(spentMicros !== undefined && { spentToday: dollarsOf(spentMicros) }),
  };
}
