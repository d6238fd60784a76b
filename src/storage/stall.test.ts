import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { guardAgainstStall } from './stall.ts';

const STALL_MS = 1000;
const settle = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function guarded() {
  const source = new PassThrough();
  const stream = guardAgainstStall(source, STALL_MS);
  const failed = vi.fn();
  stream.on('error', failed);
  const pass = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await settle();
  };
  return { source, stream, failed, pass };
}

it('fails when nothing comes, and lets go of the source', async () => {
  const { source, stream, failed, pass } = guarded();
  stream.resume();
  await pass(0);
  await pass(STALL_MS);
  expect(failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'ETIMEDOUT' }));
  expect(source.destroyed).toBe(true);
});

it('fails when bytes only trickle', async () => {
  const { source, stream, failed, pass } = guarded();
  stream.resume();
  for (let i = 0; i < 11; i++) {
    source.write('x');
    await pass(100);
  }
  expect(failed).toHaveBeenCalledOnce();
});

it('goes on as long as enough comes', async () => {
  const { source, stream, failed, pass } = guarded();
  stream.resume();
  for (let i = 0; i < 20; i++) {
    source.write(Buffer.alloc(40_000));
    await pass(900);
  }
  source.end();
  await pass(0);
  await pass(STALL_MS);
  expect(failed).not.toHaveBeenCalled();
  expect(stream.readableEnded).toBe(true);
});

it('does not blame the source for a slow reader', async () => {
  const { source, stream, failed, pass } = guarded();
  source.write(Buffer.alloc(200_000));
  stream.read(1);
  await pass(0);
  await pass(100 * STALL_MS);
  expect(failed).not.toHaveBeenCalled();
});

it('passes on what goes wrong', async () => {
  const { source, stream, failed, pass } = guarded();
  stream.resume();
  source.destroy(new Error('reset'));
  await pass(0);
  expect(failed).toHaveBeenCalledWith(new Error('reset'));
});

it('frees the source when the reader leaves', async () => {
  const { source, stream, pass } = guarded();
  stream.read();
  stream.destroy();
  await pass(0);
  expect(source.destroyed).toBe(true);
});
