import { expect, test } from 'vitest';
import { estimate } from './batch-eta.ts';

const pace = { open: 100, ended: 100, elapsedSeconds: 100, endedLately: 120, latelySeconds: 60 };

test('the range spans the pace of the whole and the pace of late', () => {
  expect(estimate(pace)).toEqual({ rate: 2, eta: { soonest: 40, latest: 120 } });
});

test('nothing ended yet: nobody knows', () => {
  expect(estimate({ ...pace, ended: 0, endedLately: 0 })).toEqual({ rate: 0, eta: null });
});

test('nothing left: no time', () => {
  expect(estimate({ ...pace, open: 0 }).eta).toEqual({ soonest: 0, latest: 0 });
});

test('a batch younger than the window is not taken for slow', () => {
  expect(estimate({ ...pace, elapsedSeconds: 10, ended: 50, endedLately: 50 }).rate).toBe(5);
});
