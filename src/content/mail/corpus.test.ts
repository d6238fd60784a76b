import { createReadStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpora } from '../../../test/kit/corpora.ts';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { PermanentError } from '../../errors.ts';
import type { UnpackedEntry } from '../container.ts';
import { isContainer, requireCapability } from '../index.ts';
import { sniff } from '../sniff.ts';

const limits = { entries: 25_000, bytes: 2 ** 32, ratio: 100, depth: 5 };
const folders = ['mail', 'hostile/mail', 'docs/unstructured/eml', 'docs/icij-extract/documents'];

describe.skipIf(!corpora)('real and hostile mail', () => {
  /** A file and everything nested in it. */
  const takeApart = async (path: string, depth = 0): Promise<{ type: string; path: string }[]> => {
    const type = await sniff(createReadStream(path), async () => path);
    const self = { type, path };
    if (!isContainer(type) || depth === limits.depth) return [self];
    const directory = join(await temporaryDirectory(), 'entries');
    await mkdir(directory);
    const input = { mediaType: type, path, directory, limits, skip: 0 };
    const entries = await collect(requireCapability(type, 'unpack')(input)).catch(refusal);
    const found = entries.flatMap((entry) => ('path' in entry ? entry.path : []));
    return [self, ...(await Promise.all(found.map((each) => takeApart(each, depth + 1)))).flat()];
  };
  const collect = async (unpacked: AsyncIterable<UnpackedEntry>) => {
    const entries: UnpackedEntry[] = [];
    for await (const entry of unpacked) entries.push(entry);
    return entries;
  };
  const refusal = (error: unknown): [] => {
    expect(error).toBeInstanceOf(PermanentError);
    return [];
  };

  const unreadable = (error: unknown) => {
    expect(error).toBeInstanceOf(PermanentError);
    return { pages: [undefined] };
  };

  test('ends in entries or with a reason, every file of it', { timeout: 120_000 }, async () => {
    const base = corpora ?? '';
    const types: Record<string, number> = {};
    for (const folder of folders)
      for (const file of await readdir(join(base, folder), {
        recursive: true,
        withFileTypes: true,
      })) {
        if (!file.isFile()) continue;
        for (const { type, path } of await takeApart(join(file.parentPath, file.name))) {
          types[type] = (types[type] ?? 0) + 1;
          if (type !== 'message/rfc822') continue;
          const page = { mediaType: type, path, first: 1, last: 1, maxText: 1e6 };
          const { pages } = await requireCapability(type, 'text')(page).catch(unreadable);
          expect([path, pages.length]).toEqual([path, 1]);
        }
      }
    expect(types['message/rfc822']).toBeGreaterThan(150);
    expect(types['application/mbox']).toBeGreaterThan(20);
  });

  test('what is called a message is one, but for those that say too little', {
    timeout: 120_000,
  }, async () => {
    const base = join(corpora ?? '', 'mail/mikel-mail');
    const others: string[] = [];
    for (const file of await readdir(base, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (file.name.endsWith('.eml') && !isContainer(await sniff(createReadStream(path))))
        others.push(relative(base, path));
    }
    expect(others.toSorted()).toEqual([
      'emails/error_emails/bad_encoded_subject.eml',
      'emails/error_emails/invalid_subject_characters.eml',
      'emails/plain_emails/raw_email_incorrect_header.eml',
      'emails/rfc2822/example13.eml',
      'emails/rfc6532/utf8_headers.eml',
    ]);
  });
});
