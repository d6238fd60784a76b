import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import { done, reject, snooze } from '../pipeline/outcome.ts';
import { end, step } from '../pipeline/pipeline.ts';
import { defineStage } from '../pipeline/stage.ts';
import { type RetryPolicy, retryAfterLoss } from './retry.ts';
import type { StageDocument, Task } from './task.ts';
import { nextState } from './transition.ts';
import type { RunVerdict } from './verdict.ts';

const stage = defineStage({
  run: async () =>
    Math.random() > 1 ? done('on') : Math.random() > 1 ? done('fork') : done('out'),
});
const here = step(stage, { on: 'there', fork: ['a', 'b'], out: end });
const laned = new Set(['there', 'heavy', 'heaviest']);
const policy: RetryPolicy = {
  maxAttempts: 3,
  baseMs: 2 * SECOND,
  capMs: 5 * MINUTE,
  largeFrom: { bytes: 1000, pages: 10 },
  laneRulesOf: (name) => ({ laned: laned.has(name), degrades: name === 'heavy' }),
};
const task: Task = {
  id: 't',
  stage: 'here',
  lane: 'small',
  epoch: 7,
  attempts: 0,
  failures: 0,
  postponed: 0,
  giveUpInMs: HOUR,
  subject: { kind: 'ingestion', id: 'i', workspaceId: 'w' },
  document: { bytes: 1, ingestion: { pages: null, overrides: {} } } as StageDocument,
};
const held = { reason: 'daily-budget', limit: 10, spent: 9, reserved: 0, needs: 2 } as const;
const retry: RunVerdict = { kind: 'retry', code: 'INTERNAL', reason: 'oops', stack: undefined };
const settled = (verdict: Exclude<RunVerdict, { kind: 'lost' }>, changes: Partial<Task> = {}) =>
  nextState({ ...task, ...changes }, here, verdict, policy);

describe('a settled task', () => {
  test.each([
    ['goes on', done('on'), {}, { state: 'ready', stage: 'there', delayMs: 0, attempts: 0 }],
    ['ends', done('out'), {}, { state: 'done', stage: 'here', followUps: [] }],
    ['forks', done('fork'), {}, { state: 'done', followUps: ['a', 'b'] }],
    [
      'keeps its attempts over stages',
      done('on'),
      { attempts: 2, failures: 2 },
      { attempts: 2, failures: 0 },
    ],
    [
      'is handed back',
      { kind: 'release' } as const,
      { attempts: 1 },
      { state: 'ready', stage: 'here', attempts: 1, delayMs: 0 },
    ],
    [
      'is rejected',
      reject('INVALID_FILE', 'bad'),
      {},
      { state: 'dead', attempts: 0, failure: { code: 'INVALID_FILE', category: 'rejected' } },
    ],
    [
      'waits',
      snooze(MINUTE, 'busy'),
      {},
      { state: 'ready', attempts: 0, postponed: 1, delayMs: MINUTE },
    ],
    ['never waits too short', snooze(-5, 'busy'), {}, { delayMs: 250 }],
    ['nor when it was asked to', snooze(0, 'busy', { exact: true }), {}, { delayMs: 250 }],
    [
      'is asked again after an hour at most',
      snooze(10 * HOUR, 'busy'),
      { giveUpInMs: 99 * HOUR },
      { delayMs: HOUR },
    ],
    [
      'gives up',
      snooze(MINUTE, 'busy'),
      { giveUpInMs: 1000 },
      { state: 'dead', attempts: 0, failure: { code: 'GAVE_UP_WAITING', category: 'gave-up' } },
    ],
    [
      'is held for as long as it takes',
      snooze(10 * HOUR, 'no money', { held }),
      { giveUpInMs: 1000 },
      {
        state: 'ready',
        attempts: 0,
        delayMs: 10 * HOUR,
        outcome: 'held',
        held,
        failure: undefined,
      },
    ],
    [
      'is tried again',
      retry,
      { attempts: 9, failures: 1 },
      { state: 'ready', stage: 'here', attempts: 10, failures: 2 },
    ],
    [
      'is exhausted',
      retry,
      { attempts: 2, failures: 2 },
      { state: 'dead', attempts: 3, failure: { code: 'INTERNAL', category: 'exhausted' } },
    ],
  ])('%s', (_, verdict, changes, expected) => {
    expect(settled(verdict, changes)).toMatchObject(expected);
  });

  test('waits longer after each failure', () => {
    const first = settled(retry).delayMs;
    const second = settled(retry, { attempts: 1 }).delayMs;
    expect(first).toBeGreaterThanOrEqual(1 * SECOND);
    expect(first).toBeLessThanOrEqual(2 * SECOND);
    expect(second).toBeGreaterThanOrEqual(2 * SECOND);
    expect(second).toBeLessThanOrEqual(4 * SECOND);
  });

  test('waits longer for storage each time, in its lane and without an attempt, until it gives up', () => {
    const away = snooze(HOUR, 'away', { outage: 'storage' });
    const first = settled(away, small(1));
    expect(first).toMatchObject({
      ...small(1),
      state: 'ready',
      attempts: 0,
      postponed: 1,
      error: { code: 'STORAGE_UNAVAILABLE' },
    });
    expect(first.delayMs).toBeLessThanOrEqual(1 * SECOND);
    const tenth = settled(away, { postponed: 9 });
    expect(tenth.delayMs).toBeGreaterThanOrEqual(15 * SECOND);
    expect(tenth.delayMs).toBeLessThanOrEqual(30 * SECOND);
    expect(settled(away, { postponed: 9, giveUpInMs: 1 * SECOND })).toMatchObject({
      state: 'dead',
      failure: { code: 'GAVE_UP_WAITING' },
    });
  });

  test('cannot answer what leads nowhere', () => {
    expect(() => settled({ kind: 'done', label: 'sideways', save: undefined })).toThrow(
      /has no next stage/,
    );
  });
});

const slow: RunVerdict = { kind: 'retry', code: 'TOO_SLOW', reason: 'slow', stack: undefined };
const hungry: RunVerdict = {
  kind: 'retry',
  code: 'OUT_OF_MEMORY',
  reason: 'hungry',
  stack: undefined,
};
const small = (failures: number) => ({ stage: 'heavy', lane: 'small', failures }) as const;
const large = (failures: number) => ({ stage: 'heavy', lane: 'large', failures }) as const;
const blunt = { stage: 'heaviest', lane: 'large' } as const;
const sized = (bytes: number, ingestion: object = {}) =>
  ({ bytes, ingestion: { pages: null, overrides: {}, ...ingestion } }) as StageDocument;

describe('a task of a stage with lanes', () => {
  test.each([
    [
      'is tried again in the small lane',
      retry,
      small(0),
      { ...small(1), state: 'ready', attempts: 1 },
    ],
    ['goes to the large lane after two failures', retry, small(1), { ...large(0), state: 'ready' }],
    [
      'goes there at once when time ran out',
      slow,
      small(0),
      { ...large(0), delayMs: 0, attempts: 1 },
    ],
    [
      'goes there at once when memory ran out',
      hungry,
      small(0),
      { ...large(0), delayMs: 0, attempts: 1 },
    ],
    [
      'goes there without an attempt when it is too large',
      { kind: 'enlarge' },
      small(1),
      { ...large(0), attempts: 0 },
    ],
    ['is tried again in the large lane', slow, large(0), { ...large(1), state: 'ready' }],
    [
      'has another run with less, after two failures there',
      retry,
      large(1),
      { ...large(2), state: 'ready' },
    ],
    [
      'dies when that fails too',
      retry,
      large(2),
      { state: 'dead', failure: { category: 'exhausted' } },
    ],
    [
      'dies after two failures there when there is nothing less',
      retry,
      { ...blunt, failures: 1 },
      { state: 'dead' },
    ],
  ] as [string, Exclude<RunVerdict, { kind: 'lost' }>, Partial<Task>, object][])(
    '%s',
    (_, verdict, changes, expected) => {
      expect(settled(verdict, changes)).toMatchObject(expected);
    },
  );

  test.each([
    ['small', { document: sized(999) }],
    ['large', { document: sized(1000) }],
    ['large', { document: sized(1, { pages: 10 }) }],
    ['large', { lane: 'large' }],
    ['small', { document: sized(1000, { overrides: { lane: 'small' } }) }],
    ['large', { document: sized(1, { overrides: { lane: 'large' } }) }],
  ] as const)(
    'begins in the %s lane by its size, by what it needed before, or as asked for: %o',
    (lane, changes) => {
      expect(settled(done('on'), changes)).toMatchObject({ stage: 'there', lane, failures: 0 });
    },
  );

  test('leaves the lane behind in a stage that has none', () => {
    const there = step(stage, { on: 'here', fork: end, out: end });
    const gone = nextState(
      { ...task, stage: 'there', lane: 'large', failures: 1 },
      there,
      done('on'),
      policy,
    );
    expect(gone).toMatchObject({ stage: 'here', lane: 'small', failures: 0 });
  });

  test('cannot be enlarged where there is one lane', () => {
    expect(() => settled({ kind: 'enlarge' })).toThrow(/no large lane/);
  });
});

describe('a lost task', () => {
  test.each([
    [
      'costs nothing when others may be to blame',
      { ...small(1), charged: false },
      { next: { lane: 'small', failures: 1 }, attempts: 4 },
    ],
    [
      'climbs like any failure',
      { ...small(1), charged: true },
      { next: { lane: 'large', failures: 0 }, attempts: 5 },
    ],
    ['is dead at the end', { ...large(2), charged: true }, { next: undefined, attempts: 5 }],
  ])('%s', (_, loss, expected) => {
    expect(retryAfterLoss({ ...loss, attempts: 4 }, loss.charged, policy)).toMatchObject(expected);
  });
});
