import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Slots } from './slots.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function rooms(total: number) {
  const slots = new Slots(total);
  const allowed = { small: 8, large: 2 };
  const small = slots.open({ units: 1, most: 8 }, (tasks) => {
    allowed.small = tasks;
  });
  const large = slots.open({ units: 5, most: 2 }, (tasks) => {
    allowed.large = tasks;
  });
  return { allowed, small, large };
}

test('each queue may have as many tasks as there is room for', () => {
  const { allowed, small, large } = rooms(8);
  expect(allowed).toEqual({ small: 8, large: 1 });
  expect(large.enter()).toBe(true);
  expect(allowed).toEqual({ small: 3, large: 1 });
  for (let i = 0; i < 3; i++) expect(small.enter()).toBe(true);
  expect(allowed).toEqual({ small: 3, large: 1 });
  expect([small.full, large.full]).toEqual([true, true]);
  large.leave();
  expect(allowed).toEqual({ small: 8, large: 1 });
});

test('a large task that found no room is the next, however many small ones come', () => {
  const { allowed, small, large } = rooms(8);
  for (let i = 0; i < 4; i++) small.enter();
  expect(large.enter()).toBe(false);
  expect(allowed).toEqual({ small: 4, large: 0 });
  expect(small.enter()).toBe(false);
  small.leave();
  expect(allowed).toEqual({ small: 3, large: 1 });
  expect(large.enter()).toBe(true);
  expect(allowed).toEqual({ small: 3, large: 1 });
  large.leave();
  expect(allowed).toEqual({ small: 8, large: 1 });
});

test('room that is kept for somebody who does not come is given to the others', () => {
  const { allowed, small, large } = rooms(8);
  for (let i = 0; i < 4; i++) small.enter();
  large.enter();
  small.leave();
  expect(small.full).toBe(true);
  vi.runAllTimers();
  expect(small.full).toBe(false);
  expect(allowed).toEqual({ small: 8, large: 1 });
});

test('a task that is larger than the whole takes all of it', () => {
  const { allowed, small, large } = rooms(3);
  expect(large.enter()).toBe(true);
  expect(small.full).toBe(true);
  expect(allowed).toEqual({ small: 0, large: 1 });
});
