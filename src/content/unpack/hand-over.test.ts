import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { PermanentError } from '../../errors.ts';
import type { UnpackedEntry } from '../container.ts';
import { reportProgress } from './backlog.ts';
import { followJournal } from './follow.ts';
import { handOver, journalName } from './hand-over.ts';

const limits = { entries: 100_000, bytes: 2 ** 40, ratio: 100 };
const open = async (stop = false) => {
  const directory = await temporaryDirectory();
  await reportProgress(directory, { taken: 0, stop });
  return { path: '', mediaType: '', directory, limits, skip: 0 };
};
const left = (position: number): UnpackedEntry => ({
  position,
  name: `${position}`,
  kind: 'known',
  reason: '',
});

test('the child waits until its parent has taken what was handed over', async () => {
  const input = await open();
  async function* files(): AsyncGenerator<UnpackedEntry> {
    for (let position = 0; position < 3000; position += 1) {
      const path = join(input.directory, `${position}`);
      await writeFile(path, 'x');
      yield { position, name: 'x', path };
    }
  }
  const work = handOver(files, input);
  let taken = 0;
  let most = 0;
  for await (const entries of followJournal(input.directory, work, { from: 0, atOnce: 200 })) {
    await delay(20);
    taken += entries.length;
    const files = (await readdir(input.directory)).length;
    most = Math.max(most, files - taken);
    await reportProgress(input.directory, { taken, stop: false });
  }
  expect(await work).toEqual({ seen: 3000, finished: true });
  expect(taken).toBe(3000);
  expect(most).toBeLessThan(1010);
});

test('the child stops when it is asked to', async () => {
  const input = await open(true);
  async function* endless(): AsyncGenerator<UnpackedEntry> {
    for (let position = 0; ; position += 1) {
      await delay(5);
      yield left(position);
    }
  }
  const { seen, finished } = await handOver(endless, input);
  expect(finished).toBe(false);
  expect(seen).toBeGreaterThan(1);
});

test('damage in the middle leaves what came before, and one exception', async () => {
  const input = await open();
  async function* damaged(): AsyncGenerator<UnpackedEntry> {
    yield left(0);
    throw new PermanentError('INVALID_FILE', 'Unexpected end');
  }
  const work = handOver(damaged, input);
  const groups: unknown[] = [];
  for await (const group of followJournal(input.directory, work, { from: 0, atOnce: 9 }))
    groups.push(...group);
  expect(groups).toEqual([
    left(0),
    {
      position: 1,
      name: '(all further entries)',
      kind: 'exception',
      reason: 'The container cannot be read beyond this point: Unexpected end',
    },
  ]);
});

test('an error of the child is thrown after its entries', async () => {
  const input = await open();
  async function* failing(): AsyncGenerator<UnpackedEntry> {
    yield left(0);
    throw new Error('The disk is gone');
  }
  const seen: unknown[] = [];
  const follow = async () => {
    const work = handOver(failing, input);
    for await (const group of followJournal(input.directory, work, { from: 0, atOnce: 9 }))
      seen.push(...group);
  };
  await expect(follow()).rejects.toThrow('The disk is gone');
  expect(seen).toEqual([left(0)]);
});

test.each([
  ['no JSON', 'x'],
  ['not an entry', '{"position":0}'],
  ['out of order', JSON.stringify(left(7))],
  ['a position that is a path', JSON.stringify({ ...left(0), position: '../x' })],
])('a journal with a line that is %s is refused', async (_, line) => {
  const { directory } = await open();
  await appendFile(join(directory, journalName), `${line}\n`);
  const follow = followJournal(directory, Promise.resolve(), { from: 0, atOnce: 9 });
  await expect(follow.next()).rejects.toThrow();
});

test('lines longer than one read are put together', async () => {
  const { directory } = await open();
  const long = { ...left(0), name: 'x'.repeat(3_000_000) };
  await appendFile(join(directory, journalName), `${JSON.stringify(long)}\n`);
  const follow = followJournal(directory, Promise.resolve(), { from: 0, atOnce: 9 });
  expect((await follow.next()).value).toEqual([long]);
});
