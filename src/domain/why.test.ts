import { expect, test } from 'vitest';
import type { Circumstances, WaitingTask } from './circumstances.ts';
import { explainWaiting } from './why.ts';

const now = new Date('2026-01-01T12:00:00Z');
const task: WaitingTask = {
  stage: 'transcribe',
  lane: 'large',
  suspect: false,
  state: 'ready',
  attempts: 2,
  notBefore: now,
  giveUpAt: now,
  announcedAt: now,
  startedAt: null,
  leaseOwner: 'w1',
  leaseUntil: null,
  deadline: null,
  lastError: null,
  held: null,
};
const why = (changes: Partial<WaitingTask>, circumstances: Partial<Circumstances> = {}) =>
  explainWaiting({
    now,
    ingestion: { status: 'in-progress', createdAt: now, completedAt: null },
    problem: undefined,
    task: { ...task, ...changes },
    queue: { paused: false, workers: 1 },
    ahead: 3,
    meanMs: undefined,
    providers: [],
    relayedAt: now,
    admittance: { batch: undefined, inFlight: 1, window: 200 },
    ...circumstances,
  });

test('what waits in the large lane says so', () => {
  expect(why({})).toMatchObject({
    reason: 'behind-others',
    stage: 'transcribe',
    lane: 'large',
    message: 'Queued: 3 documents are ahead in the queue transcribe-large.',
  });
  expect(why({ lane: 'small' }).message).toBe(
    'Queued: 3 documents are ahead in the queue transcribe.',
  );
});

test('what runs there says so', () => {
  expect(why({ state: 'running' })).toMatchObject({
    lane: 'large',
    message: 'Running: worker w1 is processing it in transcribe-large.',
  });
});

test('what runs alone waits for a worker that does', () => {
  expect(why({ suspect: true }, { queue: { paused: false, workers: 0 } }).message).toBe(
    'No worker is connected to the queue quarantine.',
  );
});
