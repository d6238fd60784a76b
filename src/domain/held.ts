import { inDollars } from './money.ts';

export const heldReasons = ['daily-budget', 'batch-budget'] as const;

/** Why a document is kept from a call that costs money. Amounts are in millionths of a dollar. */
export interface Held {
  reason: (typeof heldReasons)[number];
  /** The ceiling. */
  limit: number;
  spent: number;
  /** What calls under way may cost. */
  reserved: number;
  /** What the call may cost. */
  needs: number;
}

const ceilings = {
  'daily-budget': 'The budget of its workspace for today',
  'batch-budget': 'The ceiling of its batch',
} satisfies Record<Held['reason'], string>;

export function explainHeld({ reason, limit, spent, reserved, needs }: Held): string {
  const underWay = reserved > 0 ? `, ${inDollars(reserved)} set aside for calls under way` : '';
  const sums = `${inDollars(spent)} spent${underWay}, and the next call may cost up to ${inDollars(needs)}`;
  return `${ceilings[reason]} is ${inDollars(limit)}: ${sums}`;
}
