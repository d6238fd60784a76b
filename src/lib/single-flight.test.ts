import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

test('calls that overlap share a run, later ones start a new one', async () => {
  const flight = new SingleFlight<number>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    return runs;
  };
  expect(await Promise.all([flight.run('a', work), flight.run('a', work)])).toEqual([1, 1]);
  expect(await flight.run('a', work)).toBe(2);
});

test('a failure is shared and forgotten, and other keys are not concerned', async () => {
  const flight = new SingleFlight<string>();
  const fail = () => Promise.reject(new Error('broken'));
  const [first, second, other] = await Promise.allSettled([
    flight.run('a', fail),
    flight.run('a', async () => 'unused'),
    flight.run('b', async () => 'fine'),
  ]);
  expect([first.status, second.status, other.status]).toEqual([
    'rejected',
    'rejected',
    'fulfilled',
  ]);
  expect(await flight.run('a', async () => 'again')).toBe('again');
});
