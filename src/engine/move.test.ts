import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../lib/time.ts';
import { moveOf } from './move.ts';
import { done, reject, snooze } from './outcome.ts';
import { end, step } from './pipeline.ts';
import { defineStage } from './stage.ts';
import type { StageDocument, Task } from './task.ts';
import type { Verdict } from './verdict.ts';

const stage = defineStage({
  run: async () => (Math.random() > 1 ? done('on') : Math.random() > 1 ? done('fork') : done('out')),
});
const here = step(stage, { on: 'there', fork: ['a', 'b'], out: end });
const policy = { maxAttempts: 3, baseMs: 2 * SECOND, capMs: 5 * MINUTE };
const task: Task = {
  id: 't',
  stage: 'here',
  epoch: 7,
  attempts: 0,
  postponed: 0,
  giveUpInMs: HOUR,
  document: {} as StageDocument,
};
const held = { reason: 'daily-budget', limit: 10, spent: 9, reserved: 0, needs: 2 } as const;
const retry: Verdict = { kind: 'retry', code: 'INTERNAL', reason: 'oops', stack: undefined };
const move = (verdict: Exclude<Verdict, { kind: 'lost' }>, changes: Partial<Task> = {}) =>
  moveOf({ ...task, ...changes }, here, verdict, policy);

describe('a settled task', () => {
  test.each([
    ['goes on', done('on'), {}, { state: 'ready', stage: 'there', delayMs: 0, attempts: 0 }],
    ['ends', done('out'), {}, { state: 'done', stage: 'here', followUps: [] }],
    ['forks', done('fork'), {}, { state: 'done', followUps: ['a', 'b'] }],
    ['keeps its attempts over stages', done('on'), { attempts: 2 }, { attempts: 2 }],
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
      { state: 'dead', attempts: 0, death: { code: 'INVALID_FILE', category: 'rejected' } },
    ],
    ['waits', snooze(MINUTE, 'busy'), {}, { state: 'ready', attempts: 0, postponed: 1, delayMs: MINUTE }],
    ['never waits too short', snooze(-5, 'busy'), {}, { delayMs: 250 }],
    ['is asked again after an hour at most', snooze(10 * HOUR, 'busy'), { giveUpInMs: 99 * HOUR }, { delayMs: HOUR }],
    [
      'gives up',
      snooze(MINUTE, 'busy'),
      { giveUpInMs: 1000 },
      { state: 'dead', attempts: 0, death: { code: 'GAVE_UP_WAITING', category: 'gave-up' } },
    ],
    [
      'is held for as long as it takes',
      snooze(10 * HOUR, 'no money', { held }),
      { giveUpInMs: 1000 },
      { state: 'ready', attempts: 0, delayMs: 10 * HOUR, outcome: 'held', held, death: undefined },
    ],
    ['is tried again', retry, { attempts: 1 }, { state: 'ready', stage: 'here', attempts: 2 }],
    [
      'is exhausted',
      retry,
      { attempts: 2 },
      { state: 'dead', attempts: 3, death: { code: 'INTERNAL', category: 'exhausted' } },
    ],
  ])('%s', (_, verdict, changes, expected) => {
    expect(move(verdict, changes)).toMatchObject(expected);
  });

  test('waits longer after each failure', () => {
    const first = move(retry).delayMs;
    const second = move(retry, { attempts: 1 }).delayMs;
    expect(first).toBeGreaterThanOrEqual(1 * SECOND);
    expect(first).toBeLessThanOrEqual(2 * SECOND);
    expect(second).toBeGreaterThanOrEqual(2 * SECOND);
    expect(second).toBeLessThanOrEqual(4 * SECOND);
  });

  test('cannot answer what leads nowhere', () => {
    expect(() => move({ kind: 'done', label: 'sideways', save: undefined })).toThrow(/leads nowhere/);
  });
});
