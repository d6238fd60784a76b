import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SetupError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';
import { RetryableError, UnreachableError } from './client.ts';
import { retrying } from './retrying.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: (ms: number) => sleep(ms) }));
let clock = 0;
const sleep = async (ms: number) => {
  clock += ms;
};
const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
beforeEach(() => {
  clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => stderr.mockClear());

const busy = new RetryableError('Storage is unavailable', 'Later.', 5 * SECOND);
const away = new UnreachableError('Cannot connect to a server', 'Start one.');

test('a server that is busy is asked again when it said, one that is away a little later', async () => {
  const call = vi
    .fn()
    .mockRejectedValueOnce(busy)
    .mockRejectedValueOnce(away)
    .mockResolvedValueOnce('taken');
  expect(await retrying(call)('/x', {})).toBe('taken');
  expect(call).toHaveBeenCalledTimes(3);
  expect(clock).toBeGreaterThanOrEqual(5 * SECOND);
  expect(stderr.mock.calls.join()).toMatch(
    /Storage is unavailable Trying again in 5 s, for 600 s at most/,
  );
});

test('a server that refuses is not asked again', async () => {
  const refused = vi.fn().mockRejectedValue(new SetupError('The batch cannot be started', ''));
  await expect(retrying(refused)('/x', {})).rejects.toThrow('cannot be started');
  expect(refused).toHaveBeenCalledTimes(1);
});

test('there is an end to it', async () => {
  await expect(retrying(vi.fn().mockRejectedValue(busy), 60 * SECOND)('/x')).rejects.toBe(busy);
  expect(clock).toBe(60 * SECOND);
});

test('a server that never answered is given the time of a restart, one that did all of it', async () => {
  const call = vi.fn().mockRejectedValue(away);
  const patient = retrying(call);
  await expect(patient('/x')).rejects.toBe(away);
  expect(clock).toBeLessThanOrEqual(30 * SECOND);
  call.mockResolvedValueOnce('taken');
  await patient('/x');
  const before = clock;
  await expect(patient('/x')).rejects.toBe(away);
  expect(clock - before).toBeGreaterThan(500 * SECOND);
});
