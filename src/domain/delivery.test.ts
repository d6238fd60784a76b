import { expect, test } from 'vitest';
import { keys } from '../lib/keys.ts';
import { deliveryOutcomes, deliveryStates, deliveryStatus, deliveryStatuses } from './delivery.ts';

test('every pair of state and outcome has a status, and every status is reached', () => {
  const seen = new Set(
    deliveryStates.flatMap((state) =>
      deliveryOutcomes.map((outcome) => deliveryStatus(state, outcome)),
    ),
  );
  expect([...seen].sort()).toEqual(keys(deliveryStatuses).sort());
  expect(seen.size).toBe(11);
});

test.each([
  ['queued', 'none', 'QUEUED'],
  ['processing', 'submitted', 'PROCESSING'],
  ['waiting', 'submitted', 'SUBMITTED'],
  ['waiting', 'try-again-later', 'TRY_AGAIN_LATER'],
  ['waiting', 'none', 'QUEUED'],
  ['ended', 'managed', 'MANAGED'],
  ['ended', 'failed', 'FAILED'],
] as const)('%s and %s is %s', (state, outcome, status) => {
  expect(deliveryStatus(state, outcome)).toBe(status);
});
