import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { corpora } from '../../../test/kit/corpora.ts';
import { unpack, unpackToParent } from '../../../test/kit/unpack.ts';
import type { UnpackedEntry } from '../container.ts';
import { findFormat } from '../index.ts';
import { sniff } from '../sniff.ts';

const limits = { entries: 10_000, bytes: 2 ** 28, ratio: 1000 };
const folder = join(corpora ?? '', 'formats/sharpcompress');
const open = async (name: string, password?: string) => {
  const bytes = readFileSync(join(folder, name));
  const type = await sniff(Readable.from([bytes]));
  return (await unpack(type, bytes, limits, { name, password, skipEncrypted: false })).entries;
};
const files = (entries: UnpackedEntry[]) =>
  entries.flatMap((entry) => ('path' in entry ? statSync(entry.path).size : []));
const sizes = [15_498, 40_372, 45_056];
const byNumber = (a: number, b: number) => a - b;

describe.skipIf(!corpora)('archives of other programs', { timeout: 60_000 }, () => {
  test.each([
    '7Zip.BZip2.7z',
    '7Zip.Copy.7z',
    '7Zip.LZMA2.7z',
    '7Zip.PPMd.7z',
    '7Zip.nonsolid.7z',
    'Rar.none.rar',
    'Rar.solid.rar',
    'Rar5.rar',
    'Rar5.solid.rar',
    'Zip.bzip2.zip',
    'Zip.deflate64.zip',
    'Zip.lzma.zip',
    'Zip.ppmd.zip',
    'Tar.tar',
    'Tar.noEmptyDirs.tar',
    'Tar.tar.Z',
    'Tar.tar.bz2',
    'Tar.tar.gz',
    'Tar.tar.xz',
    'Tar.tar.zst',
  ])('%s has its three files', async (name) => {
    expect(files(await open(name)).toSorted(byNumber)).toEqual(sizes);
  });

  test.each([
    ['Zip.zstd.WinzipAES.mixed.zip', 'test', 4],
    ['Rar.encrypted_filesOnly.rar', 'test', 3],
    ['Rar.encrypted_filesAndHeader.rar', 'test', 3],
    ['Rar5.encrypted_filesOnly.rar', 'test', 3],
    ['Rar5.encrypted_filesAndHeader.rar', 'test', 3],
    ['7Zip.LZMA2.Aes.7z', 'testpassword', 3],
    ['7Zip.encryptedFiles.7z', 'password', 3],
    ['Zip.deflate.WinzipAES.zip', 'test', 3],
    ['Zip.deflate.pkware.zip', '12345678', 1],
  ])('%s opens with its password only', async (name, password, count) => {
    const locked = { code: 'PASSWORD_PROTECTED' };
    await expect(open(name)).rejects.toMatchObject(locked);
    await expect(open(name, 'wrong')).rejects.toMatchObject(locked);
    expect(files(await open(name, password))).toHaveLength(count);
  });

  test('what is not encrypted is taken without the password', async () => {
    const bytes = readFileSync(join(folder, 'Zip.zstd.WinzipAES.mixed.zip'));
    const entries = await unpackToParent('application/zip', bytes, limits);
    expect(entries.map((entry) => ('bytes' in entry ? entry.bytes : entry.reason))).toEqual([
      65_536,
      65_536,
      'The entry is encrypted',
      'The entry is encrypted',
    ]);
  });

  test.each(['Rar.multi.part02.rar', 'Rar5.multi.part06.rar', 'Original.7z.001'])(
    '%s is one part of several, and the error says so',
    async (name) => {
      await expect(open(name)).rejects.toMatchObject({
        code: 'INVALID_FILE',
        message: expect.stringMatching(/split archive/),
      });
    },
  );

  test('has the paths of its entries', async () => {
    expect((await open('Rar5.rar')).map(({ name }) => name)).toEqual([
      'exe/test.exe',
      'jpg/test.jpg',
      'тест.txt',
      'Empty',
      'exe',
      'jpg',
    ]);
  });
});

const tar = ['/bin/tar', '/usr/bin/tar'].find(existsSync);

describe.skipIf(!corpora || !tar)('counted by another program', { timeout: 60_000 }, () => {
  test.each(['Tar.tar', 'Tar.tar.gz', 'Tar.tar.bz2', 'Tar.tar.xz', 'Tar.mod.tar'])(
    '%s has as many entries as tar lists',
    async (name) => {
      const list = execFileSync(tar ?? '', ['-taf', join(folder, name)], { encoding: 'utf8' });
      expect(await open(name)).toHaveLength(list.trim().split('\n').length);
    },
  );
});

describe.skipIf(!corpora)('hostile archives', { timeout: 120_000 }, () => {
  test.each(['tar', 'gzip', 'bzip2', 'zip'])(
    '%s: each ends with entries or a reason',
    async (kind) => {
      const base = join(corpora ?? '', 'hostile', kind, 'corpus');
      for (const name of await readdir(base)) {
        const bytes = readFileSync(join(base, name));
        const type = await sniff(Readable.from([bytes]));
        if (!findFormat(type)?.unpack) continue;
        const refused = await unpackToParent(type, bytes).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (refused) expect(refused).toMatchObject({ name: 'PermanentError' });
      }
    },
  );
});
