import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readAll } from './read-all.ts';

test('joins the pieces', async () => {
  const source = new PassThrough();
  const read = readAll(source);
  for (const piece of ['a', 'bc', '']) source.write(piece);
  source.end('d');
  expect(String(await read)).toBe('abcd');
});

test('of nothing is empty', async () => {
  const source = new PassThrough();
  source.end();
  expect(await readAll(source)).toHaveLength(0);
});

test('fails with the reason', async () => {
  const source = new PassThrough();
  const read = readAll(source);
  source.destroy(new Error('reset'));
  await expect(read).rejects.toThrow('reset');
});

test('does not wait for ever for what is cut off', async () => {
  const source = new PassThrough();
  source.write('half');
  const read = readAll(source);
  source.destroy();
  await expect(read).rejects.toThrow('cut off');
});

test('does not wait for ever for what was cut off before', async () => {
  const source = new PassThrough();
  source.destroy();
  await once(source, 'close');
  await expect(readAll(source)).rejects.toThrow('cut off');
});
