import { describe, expect, test } from 'vitest';
import { firstLane, queuesNamed } from './lane.ts';

const queues = ['claim', 'read', 'read-large'];

test.each([
  ['claim', ['claim']],
  ['read', ['read', 'read-large']],
  ['read-small', ['read']],
  ['read-large', ['read-large']],
  ['claim-small', []],
  ['claim-large', []],
  ['other', []],
])('a worker told %s serves %o', (name, served) => {
  expect(queuesNamed(name, queues)).toEqual(served);
});

describe('a document begins', () => {
  const largeFrom = { bytes: 100, pages: 10 };
  test.each([
    ['small', 99, 9, {}],
    ['large', 100, 1, {}],
    ['large', 1, 10, {}],
    ['small', 1, null, {}],
    ['small', 100, 10, { lane: 'small' }],
    ['large', 1, 1, { lane: 'large' }],
  ] as const)('in the %s lane with %i bytes, %s pages and %o', (lane, bytes, pages, overrides) => {
    expect(firstLane({ bytes, ingestion: { pages, overrides } }, largeFrom)).toBe(lane);
  });
});
