import { createReadStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpora } from '../../../test/kit/corpora.ts';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { PermanentError } from '../../errors.ts';
import { unpackLimits } from '../container.ts';
import { isContainer, requireCapability } from '../index.ts';
import { sniff } from '../sniff.ts';

const folders = ['mail', 'hostile/mail', 'docs/unstructured/eml', 'docs/icij-extract/documents'];

describe.skipIf(!corpora)('real and hostile mail', () => {
  /** A file and everything nested in it, each with the container it came from. */
  const takeApart = async (
    path: string,
    within: string[] = [],
  ): Promise<{ type: string; path: string; within: string[] }[]> => {
    const type = await sniff(createReadStream(path));
    const self = { type, path, within };
    if (!isContainer(type) || within.length === unpackLimits.depth) return [self];
    const directory = join(await temporaryDirectory(), 'entries');
    await mkdir(directory);
    const entries = await requireCapability(
      type,
      'unpack',
    )({
      mediaType: type,
      path,
      directory,
      limits: unpackLimits,
    }).catch(refusal);
    const found = entries.flatMap((entry) => ('path' in entry ? entry.path : []));
    return [
      self,
      ...(await Promise.all(found.map((each) => takeApart(each, [...within, type])))).flat(),
    ];
  };
  const refusal = (error: unknown): [] => {
    expect(error).toBeInstanceOf(PermanentError);
    return [];
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
        for (const { type, path, within } of await takeApart(join(file.parentPath, file.name))) {
          types[type] = (types[type] ?? 0) + 1;
          const isText = within.at(-1) === 'message/rfc822' && basename(path) === '0';
          expect([path, isText ? type : 'text/plain']).toEqual([path, 'text/plain']);
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
