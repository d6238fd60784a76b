import type { Workspace } from '../db/workspaces.ts';
import { toDollars } from '../domain/money.ts';
import { shownCeiling } from './ceiling.ts';

/** The API representation of a workspace, with amounts in dollars. */
export function workspaceJson({ dailyBudgetMicros, ...fields }: Workspace, spentMicros?: number) {
  return {
    ...fields,
    dailyBudget: shownCeiling(dailyBudgetMicros),
    ...(spentMicros !== undefined && { spentToday: toDollars(spentMicros) }),
  };
}
