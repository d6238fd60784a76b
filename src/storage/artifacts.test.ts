import { expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryDirectory } from '../../test/kit/temporary-directory.ts';
import { artifactStore } from './artifacts.ts';
import { openFiles } from './files/index.ts';
import type { Storage } from './storage.ts';

const { find, load, save } = artifactStore(z.string());
const key = 'ingestions/one/extraction-output.json';

test('whoever comes late takes over what is there: the checkpoint that names it holds', async () => {
  const storage = await openFiles(await temporaryDirectory());
  const first = await save(storage, key, 'same source', 'of the first');
  expect(await save(storage, key, 'same source', 'of the second')).toEqual(first);
  expect(await load(storage, key, first.sha256)).toBe('of the first');
});

test.each<[string, (storage: Storage) => Promise<unknown>]>([
  ['is from another source', (storage) => save(storage, key, 'another source', 'foreign')],
  ['is cut off', (storage) => storage.put(key, Buffer.from('half'))],
])('what is there and %s is replaced', async (_, put) => {
  const storage = await openFiles(await temporaryDirectory());
  await put(storage);
  const own = await save(storage, key, 'this source', 'own');
  expect(await find(storage, key, 'this source')).toEqual(own);
});
