import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { mulberry32 } from '../../test/chaos/random.ts';
import { corpora } from '../../test/kit/corpora.ts';
import { unpack, unpackToParent } from '../../test/kit/unpack.ts';
import { zipOf } from '../../test/kit/zip.ts';
import { PermanentError } from '../errors.ts';
import { sniff } from './sniff.ts';

const limits = { entries: 1000, bytes: 2 ** 28, ratio: 1000 };
const archives = join(corpora ?? '', 'formats/sharpcompress');

const typeOf = (bytes: Buffer) => sniff(Readable.from([bytes]));
const hashesOf = async (type: string, bytes: Buffer) => {
  const { entries } = await unpack(type, bytes, limits);
  return entries.flatMap((entry) =>
    'path' in entry ? createHash('sha256').update(readFileSync(entry.path)).digest('hex') : [],
  );
};
/** What a stage records of a container: entries, or the error that refused it. */
const recorded = (type: string, bytes: Buffer) =>
  unpackToParent(type, bytes, limits).catch((error: unknown) => {
    if (error instanceof PermanentError) return [];
    throw error;
  });
const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));

/** Bytes at random places are replaced, behind the signature that the type is recognised by. */
function mutant(bytes: Buffer, seed: number, spots: number): Buffer {
  const random = mulberry32(seed);
  const changed = Buffer.from(bytes);
  for (let i = 0; i < spots; i += 1)
    changed[600 + Math.floor(random() * (bytes.length - 600))] = Math.floor(random() * 256);
  return changed;
}

describe.skipIf(!corpora)('a damaged archive', { timeout: 120_000 }, () => {
  const checked = ['Zip.bzip2.zip', '7Zip.nonsolid.7z', 'Rar.none.rar', 'Rar5.none.rar'];

  test.each(checked)('%s never gives wrong content', async (name) => {
    const bytes = readFileSync(join(archives, name));
    const type = await typeOf(bytes);
    const originals = new Set(await hashesOf(type, bytes));
    const damaged = [...[1, 3].map((seed) => mutant(bytes, seed, 3 ** seed)), cut(bytes, 0.7)];
    for (const each of damaged) {
      const found = await hashesOf(type, each).catch((error: unknown) => {
        expect(error).toBeInstanceOf(PermanentError);
        return [];
      });
      for (const hash of found) expect(originals).toContain(hash);
    }
  });

  test.each([
    ['Rar.none.rar', 1],
    ['Rar5.none.rar', 1],
    ['Tar.noEmptyDirs.tar', 1],
    ['Tar.tar.gz', 1],
  ])(
    '%s that is cut off gives its first entries, and the rest is an exception',
    async (name, least) => {
      const bytes = cut(readFileSync(join(archives, name)), 0.9);
      const entries = await recorded(await typeOf(bytes), bytes);
      expect(entries.filter((entry) => 'bytes' in entry).length).toBeGreaterThanOrEqual(least);
      expect(entries.some((entry) => 'kind' in entry && entry.kind === 'exception')).toBe(true);
    },
  );

  test('a zip that is cut off gives its first entries as well', async () => {
    const files = Array.from({ length: 4 }, (_, n) => ({ name: `${n}`, body: `${n}`.repeat(500) }));
    const stored = files.map((file) => ({ ...file, stored: true }));
    const bytes = zipOf([{ name: 'in/' }, ...stored, { name: '../out', body: 'x' }]);
    const entries = await recorded('application/zip', cut(bytes, 0.7));
    expect(entries).toMatchObject([
      { name: 'in/', kind: 'skipped' },
      { name: '0', bytes: 500 },
      { name: '1', bytes: 500 },
      { name: '2', bytes: 500 },
      { name: '3', kind: 'exception' },
      { kind: 'exception', reason: expect.stringMatching(/directory .* is missing/) },
    ]);
  });

  test('one bad entry does not affect the others', async () => {
    const bytes = readFileSync(join(archives, '7Zip.nonsolid.7z'));
    bytes.fill(0xff, 1000, 1010);
    const entries = await recorded(await typeOf(bytes), bytes);
    const files = entries.filter((entry) => 'bytes' in entry);
    const exceptions = entries.filter((entry) => 'kind' in entry && entry.kind === 'exception');
    expect([files.length, exceptions.length]).toEqual([2, 1]);
  });
});

describe.skipIf(!corpora)('a damaged mailbox', { timeout: 120_000 }, () => {
  const pst = () => readFileSync(join(corpora ?? '', 'formats/go-pst/support.pst'));
  const items = 17;

  test.each([1, 2, 3, 4, 5, 6])('of Outlook loses nothing silently (mutant %i)', async (seed) => {
    const bytes = mutant(pst(), seed, 4 * 2 ** seed);
    const type = await typeOf(bytes);
    const entries = await unpackToParent(type, bytes, limits).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'INVALID_FILE', message: /index .* is damaged/ });
      return undefined;
    });
    if (!entries) return;
    const files = entries.filter((entry) => 'bytes' in entry);
    if (files.length < items) expect(entries.length).toBeGreaterThan(files.length);
  });

  test('in the mbox format gives every message, whatever is in it', async () => {
    const message = (n: number) =>
      `From a@example.com Sat Jan  3 01:05:34 2026\nFrom: a@example.com\nSubject: ${n}\n\nText ${n}\n\n`;
    const bytes = Buffer.from(Array.from({ length: 50 }, (_, n) => message(n)).join(''));
    const damaged = Buffer.from(bytes);
    // The body of one message in the middle.
    damaged.fill(0, damaged.indexOf('Text 20'), damaged.indexOf('Text 20') + 7);
    expect(await recorded('application/mbox', damaged)).toHaveLength(50);
    expect(await recorded('application/mbox', cut(bytes, 0.5))).toHaveLength(25);
  });
});
