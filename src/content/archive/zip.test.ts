import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unpack as unpackAny, unpackToParent } from '../../../test/kit/unpack.ts';
import { type ZipEntry, zipOf } from '../../../test/kit/zip.ts';
import type { UnpackLimits } from '../container.ts';

const unpack = (archive: Buffer | ZipEntry[], limits?: Partial<UnpackLimits>) =>
  unpackAny('application/zip', Array.isArray(archive) ? zipOf(archive) : archive, limits);

test('every entry is a file, or has a reason', async () => {
  const { entries } = await unpack([
    { name: 'letters/' },
    { name: 'letters/one.txt', body: 'Dear Sir' },
    { name: 'letters/two.txt', body: 'Dear Madam', stored: true },
    { name: '__MACOSX/letters/._one.txt', body: 'x' },
    { name: 'letters/.DS_Store', body: 'x' },
    { name: 'link', body: '/etc/passwd', mode: 0o120777 },
    { name: 'locked.txt', body: 'x', flags: 1 },
    { name: 'odd.txt', body: 'x', method: 97 },
    { name: 'torn.txt', body: 'x', says: { checksum: 1 } },
  ]);
  expect(
    entries.map((entry) => ('path' in entry ? readFileSync(entry.path, 'utf8') : entry.kind)),
  ).toEqual([
    'skipped',
    'Dear Sir',
    'Dear Madam',
    'known',
    'known',
    'skipped',
    'exception',
    'exception',
    'exception',
  ]);
  expect(entries.map(({ position }) => position)).toEqual([...entries.keys()]);
  expect(entries.slice(-3)).toMatchObject([
    { reason: 'The entry is encrypted' },
    { reason: expect.stringMatching(/^The entry cannot be unpacked: /) },
    { reason: 'The entry is damaged: CRC-32 mismatch' },
  ]);
});

test.each([
  '../../escaped',
  '/etc/passwd',
  'C:/windows',
  '..\\..\\escaped',
  'a/../../b',
  'nul\0.txt',
])('the name %j leads nowhere', async (name) => {
  const { entries, files } = await unpack([
    { name, body: 'x' },
    { name: 'good.txt', body: 'y' },
  ]);
  expect(entries).toMatchObject([
    { kind: 'exception' },
    { path: expect.stringMatching(/entries[/\\]1$/) },
  ]);
  expect(files).toEqual(['container', join('entries', '1')]);
});

test('names never become names of files', async () => {
  const { files } = await unpack([
    { name: 'x'.repeat(5000), body: 'x' },
    { name: 'con', body: 'y' },
  ]);
  expect(files).toEqual(['container', join('entries', '0'), join('entries', '1')]);
});

test('what grows too much is stopped, and leaves nothing', async () => {
  const { entries, files } = await unpack([
    { name: 'bomb', body: Buffer.alloc(2 ** 23) },
    { name: 'good', body: 'y' },
  ]);
  expect(entries).toMatchObject([
    { kind: 'exception', reason: expect.stringContaining('100 times') },
    { path: expect.any(String) },
  ]);
  expect(files).toEqual(['container', join('entries', '1')]);
});

test('all entries together have one limit, on what really comes out', async () => {
  const body = Buffer.alloc(1000, 'x');
  const { entries } = await unpack(
    [1, 2, 3, 4].map((n) => ({ name: `${n}`, body })),
    { bytes: 2500 },
  );
  expect(entries.map((entry) => 'path' in entry)).toEqual([true, true, false, false]);
});

test('an entry that is larger than it says is an exception', async () => {
  const { entries } = await unpack([
    { name: 'liar', body: Buffer.alloc(100_000, 'x'), says: { bytes: 10 } },
  ]);
  expect(entries).toMatchObject([{ kind: 'exception' }]);
});

test.each([
  [
    'shares bytes between entries',
    zipOf([
      { name: 'a', body: 'x' },
      { name: 'b', body: 'x', says: { offset: 0 } },
    ]),
  ],
  ['is cut off', zipOf([{ name: 'a', body: 'x'.repeat(1000) }]).subarray(0, 60)],
  ['is none', Buffer.from('PK\x03\x04 and then nothing of the kind')],
])('an archive that %s is refused as a whole', async (_, archive) => {
  await expect(unpack(archive)).rejects.toMatchObject({
    name: 'PermanentError',
    code: 'INVALID_FILE',
  });
});

test('an archive with too many entries gives the first ones; the rest is one exception', async () => {
  const many = Array.from({ length: 14 }, (_, n) => ({ name: `${n}`, body: 'x' }));
  const entries = await unpackToParent('application/zip', zipOf(many), { entries: 12 });
  expect(entries).toHaveLength(13);
  expect(entries.slice(-2)).toEqual([
    { position: 11, name: '11', bytes: 1 },
    {
      position: 12,
      name: '(all further entries)',
      kind: 'exception',
      reason: 'The limit of 12 entries is reached (MILLRACE_MAX_ENTRIES)',
    },
  ]);
});

test('entries that an earlier attempt has taken are not written again', async () => {
  const names = ['a', 'b', 'c', 'd'].map((name) => ({ name, body: name }));
  const { entries, files } = await unpackAny('application/zip', zipOf(names), {}, { skip: 2 });
  expect(entries.map(({ position, name }) => [position, name])).toEqual([
    [2, 'c'],
    [3, 'd'],
  ]);
  expect(files).toEqual(['container', join('entries', '2'), join('entries', '3')]);
});

test('an entry that is too large does not use up the limit for those after it', async () => {
  const { entries } = await unpack(
    [
      { name: 'large', body: 'x'.repeat(5000) },
      { name: 'small', body: 'y' },
    ],
    { bytes: 2500 },
  );
  expect(entries.map((entry) => 'path' in entry)).toEqual([false, true]);
});
