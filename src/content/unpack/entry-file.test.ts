import { readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { makeEntryFile } from './entry-file.ts';

async function fail(error: Error) {
  const directory = await temporaryDirectory();
  const entry = await makeEntryFile({ position: 3, name: 'a.txt' }, directory, async (path) => {
    writeFileSync(path, 'half');
    throw error;
  }).catch((thrown: unknown) => thrown);
  return { entry, files: readdirSync(directory) };
}

test('what cannot be made leaves its reason, and nothing else', async () => {
  expect(await fail(new Error('It is damaged'))).toEqual({
    entry: { position: 3, name: 'a.txt', kind: 'exception', reason: 'It is damaged' },
    files: [],
  });
});

test('a full disk is no fault of the entry: the container waits', async () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  expect(await fail(full)).toEqual({ entry: full, files: [] });
});
