import { describe, expect, test } from 'vitest';
import { failures } from '../../domain/failure.ts';
import {
  BusyError,
  PermanentError,
  StorageRefusedError,
  StorageUnavailableError,
} from '../../errors.ts';
import { keys } from '../../lib/keys.ts';
import { OutgoingError } from '../../outgoing/outgoing-error.ts';
import { SandboxCrashError, SandboxTimeoutError } from '../../sandbox/errors.ts';
import { BudgetError } from '../budget/budget-error.ts';
import {
  classifyFailure,
  LeaseLostError,
  SandboxBusyError,
  ShutdownError,
  StageTimeoutError,
  toVerdict,
} from './verdict.ts';

const death = { signal: null, exitCode: 1, begun: true, output: '' };

/** An error of each kind that can be thrown, and the expected verdict. */
const thrown = {
  'unusable document': [
    new PermanentError('PASSWORD_PROTECTED', 'locked'),
    { kind: 'reject', code: 'PASSWORD_PROTECTED' },
  ],
  'provider throttled': [new BusyError('429', 7000), { kind: 'snooze', ms: 7000, reason: '429' }],
  'storage unavailable': [
    new OutgoingError('UNREACHABLE', 'the file broke off', {
      cause: new StorageUnavailableError('Storage is unavailable', 5000),
    }),
    { kind: 'snooze', outage: 'storage' },
  ],
  'storage refused': [
    new StorageRefusedError('The access key may not use the bucket', 'Allow it.'),
    {
      kind: 'reject',
      code: 'STORAGE_REFUSED',
      reason: 'The access key may not use the bucket. Allow it.',
    },
  ],
  'sandbox busy': [
    new SandboxBusyError('no process is free'),
    { kind: 'snooze', ms: 30_000, reason: 'no process is free' },
  ],
  'disk full': [
    new Error('not stored', {
      cause: Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
    }),
    { kind: 'snooze', ms: 30_000, reason: 'not stored: no space left on device' },
  ],
  'stage timeout': [new StageTimeoutError('too long'), { kind: 'retry', code: 'TOO_SLOW' }],
  'out of memory': [
    new SandboxCrashError('x', { ...death, outOfMemory: true }),
    { kind: 'retry', code: 'OUT_OF_MEMORY' },
  ],
  'child process lost': [
    new SandboxCrashError('x', { ...death, outOfMemory: false }),
    { kind: 'retry', code: 'WORKER_LOST' },
  ],
  'destination error': [
    new OutgoingError('TOO_SLOW', 'no answer'),
    { kind: 'retry', code: 'DESTINATION_FAILED' },
  ],
  'forbidden destination': [
    new OutgoingError('FORBIDDEN', 'private'),
    { kind: 'reject', code: 'DESTINATION_UNUSABLE' },
  ],
  'provider or other error': [
    new Error('something broke'),
    { kind: 'retry', code: 'INTERNAL', reason: 'something broke' },
  ],
} as const;

describe('a failure', () => {
  test.each(Object.entries(thrown))('%s', (kind, [error, verdict]) => {
    expect(classifyFailure(error)).toBe(kind);
    expect(toVerdict(error)).toMatchObject(verdict);
  });

  test('of every other kind is found by the gate, and decided by the extract stage', () => {
    const others = keys(failures).filter((kind) => !Object.hasOwn(thrown, kind));
    expect(others.map((kind) => [kind, failures[kind].strategy])).toEqual([
      ['extraction incomplete', 'retry-once-then-review'],
      ['critical fields missing', 'review'],
    ]);
  });

  test('a sandbox that ran out of time counts as a timeout', () => {
    expect(classifyFailure(new SandboxTimeoutError('ocr', 1000))).toBe('stage timeout');
  });

  test('that is none: the process ends, someone else decides now, or money is short', () => {
    expect(toVerdict(new ShutdownError('bye'))).toEqual({ kind: 'release' });
    expect(toVerdict(new LeaseLostError('gone'))).toEqual({ kind: 'lost' });
    const held = { reason: 'batch-budget', limit: 5, spent: 4, reserved: 0, needs: 2 } as const;
    expect(toVerdict(new BudgetError(held, 1000))).toMatchObject({
      kind: 'snooze',
      ms: 1000,
      held,
    });
  });
});
