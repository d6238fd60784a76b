import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Tail } from './tail.ts';

test('keeps the last of what was said', async () => {
  const stream = new PassThrough();
  const tail = new Tail(5, stream, null);
  stream.write('a long story');
  stream.end(' ends');
  await once(stream, 'end');
  expect(tail.toString()).toBe('ends');
});
