import { inDollars } from './money.ts';

export const heldReasons = ['daily-budget', 'batch-budget'] as const;

/** Why a document may not make a paid call yet. Amounts are in millionths of a dollar. */
export interface Held {
  reason: (typeof heldReasons)[number];
  limit: number;
  spent: number;
  /** Upper bound of the cost of calls in progress. */
  reserved: number;
  /** Upper bound of the cost of the next call. */
  needs: number;
}

const limitNames = {
  'daily-budget': 'The daily budget of the workspace',
  'batch-budget': 'The cost limit of the batch',
} satisfies Record<Held['reason'], string>;

export function explainHeld({ reason, limit, spent, reserved, needs }: Held): string {
  const pending = reserved > 0 ? `, ${inDollars(reserved)} reserved for calls in progress` : '';
  const used = `${inDollars(spent)} spent${pending}`;
  const sums = `${used}, and the next call may cost up to ${inDollars(needs)}`;
  return `${limitNames[reason]} is ${inDollars(limit)}: ${sums}`;
}
