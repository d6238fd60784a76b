import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { corpora } from '../../test/kit/corpora.ts';
import { installed } from '../../test/kit/programs.ts';
import { temporaryDirectory } from '../../test/kit/temporary-directory.ts';
import { unpack, unpackToParent } from '../../test/kit/unpack.ts';
import { sniff } from './sniff.ts';

const limits = { entries: 10_000, bytes: 2 ** 28, ratio: 1000 };
const filesIn = (folder: string, pattern: RegExp) =>
  corpora
    ? readdirSync(join(corpora, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => pattern.test(name))
        .map((name) => join(folder, name))
    : [];
const print = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const entriesOf = async (file: string) => {
  const bytes = readFileSync(join(corpora ?? '', file));
  return unpackToParent(await sniff(Readable.from([bytes])), bytes, limits);
};

/** Later volumes, encrypted names, and archives that are malformed on purpose. */
const odd =
  /encrypt|Tar\.Empty|unicode-path|Aes|pkware|multi|malformed|\.mod\.|failure|\.tar\.(gz|bz2|xz|zst|Z|lz)$/i;

describe.skipIf(!corpora || !installed.sevenZip)('counted by 7z', { timeout: 120_000 }, () => {
  const archives = [
    ...filesIn('formats/sharpcompress', /\.(7z|rar|zip|tar)$/),
    ...filesIn('archives', /\.zip$/),
  ].filter((file) => !odd.test(file));

  test.each(archives)('%s', async (file) => {
    const list = print(
      installed.sevenZip ?? '',
      'l',
      '-slt',
      '-ba',
      '-p',
      join(corpora ?? '', file),
    );
    expect(await entriesOf(file)).toHaveLength(list.match(/^Path = /gm)?.length ?? 0);
  });
});

describe.skipIf(!corpora || !installed.bsdtar)('counted by bsdtar', { timeout: 120_000 }, () => {
  test.each(filesIn('formats/sharpcompress', /^(?!.*Empty\.).*\.tar(\.(gz|bz2|xz|zst|Z))?$/))(
    '%s',
    async (file) => {
      const list = print(installed.bsdtar ?? '', '-tf', join(corpora ?? '', file));
      expect(await entriesOf(file)).toHaveLength(list.split('\n').filter(Boolean).length);
    },
  );
});

describe.skipIf(!corpora || !installed.readpst)('counted by readpst', { timeout: 120_000 }, () => {
  const mailboxes = [...filesIn('formats', /\.(pst|ost)$/), ...filesIn('mail', /\.(pst|ost)$/)];

  test.each(mailboxes)('%s has at least as many items', async (file) => {
    const output = await temporaryDirectory();
    const path = join(corpora ?? '', file);
    print(installed.readpst ?? '', '-e', '-b', '-D', '-q', '-j', '0', '-o', output, path);
    const theirs = readdirSync(output, { recursive: true, withFileTypes: true });
    const type = await sniff(Readable.from([readFileSync(path)]));
    const { entries } = await unpack(type, readFileSync(path), limits);
    const files = entries.filter((entry) => 'path' in entry);
    expect(files.length).toBeGreaterThanOrEqual(theirs.filter((each) => each.isFile()).length);
  });
});
