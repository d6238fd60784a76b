import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

test('lets so many in, the others in the order they came', async () => {
  const places = new Semaphore(1);
  const order: string[] = [];
  await places.acquire();
  const waiting = ['a', 'b'].map((name) => places.acquire().then(() => order.push(name)));
  places.release();
  await waiting[0];
  expect(order).toEqual(['a']);
  places.release();
  await waiting[1];
  expect(order).toEqual(['a', 'b']);
});

test('who gives up waiting takes no place', async () => {
  const places = new Semaphore(1);
  await places.acquire();
  const controller = new AbortController();
  const waiting = places.acquire(controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  places.release();
  await places.acquire();
});

test('turns everyone away once it is closed', async () => {
  const places = new Semaphore(0);
  const waiting = places.acquire();
  places.close(new Error('closed'));
  await expect(waiting).rejects.toThrow('closed');
  await expect(places.acquire()).rejects.toThrow('closed');
});
