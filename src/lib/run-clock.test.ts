import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunClock, waitTurn } from './run-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup() {
  const onUsedUp = vi.fn();
  return { clock: new RunClock({ workMs: 100, waitMs: 1000, onUsedUp }), onUsedUp };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('reports once that the time to work is used up', async () => {
  const { clock, onUsedUp } = setup();
  await vi.advanceTimersByTimeAsync(99);
  expect(onUsedUp).not.toHaveBeenCalled();
  expect(clock.workLeftMs).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  void clock.waitFor(() => sleep(10));
  await vi.advanceTimersByTimeAsync(5000);
  expect(onUsedUp.mock.calls).toEqual([['work']]);
});

test('does not count the time in which the run waits its turn', async () => {
  const { clock, onUsedUp } = setup();
  void clock.during(async () => {
    await sleep(60);
    await waitTurn(() => sleep(500));
    await sleep(30);
    await waitTurn(() => sleep(400));
  });
  await vi.advanceTimersByTimeAsync(990);
  expect(clock.workLeftMs).toBe(10);
  expect(onUsedUp).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10);
  expect(onUsedUp.mock.calls).toEqual([['work']]);
});

test('reports that the run has waited too long, over all of its waits', async () => {
  const { clock, onUsedUp } = setup();
  void clock.during(async () => {
    await waitTurn(() => sleep(700));
    await waitTurn(() => sleep(700));
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(onUsedUp).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onUsedUp.mock.calls).toEqual([['wait']]);
});

test('is silent after the run has ended', async () => {
  const { clock, onUsedUp } = setup();
  clock.stop();
  await clock.waitFor(async () => undefined);
  await vi.advanceTimersByTimeAsync(5000);
  expect(onUsedUp).not.toHaveBeenCalled();
});

test('waits outside of a run are just waits', async () => {
  expect(await waitTurn(async () => 'turn')).toBe('turn');
});
