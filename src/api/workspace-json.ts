import type { Workspace } from '../db/workspaces.ts';
import { toDollars } from '../domain/money.ts';
import { shownCeiling } from './ceiling.ts';

interface Details {
  spentMicros: number;
  storedBytes: number;
  legalHold: boolean;
}

/** The API representation of a workspace, with amounts in dollars. */
export function workspaceJson({ dailyBudgetMicros, ...fields }: Workspace, details?: Details) {
  return {
    ...fields,
    dailyBudget: shownCeiling(dailyBudgetMicros),
    ...(details && {
      spentToday: toDollars(details.spentMicros),
      storedBytes: details.storedBytes,
      legalHold: details.legalHold,
    }),
  };
}
