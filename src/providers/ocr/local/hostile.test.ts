import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostilePdfs } from '../../../../test/kit/hostile-pdfs.ts';
import type { Lane } from '../../../domain/lane.ts';
import { LargeDocumentError, PermanentError } from '../../../errors.ts';
import { keys } from '../../../lib/keys.ts';
import { openSandbox } from '../../../sandbox/sandbox.ts';
import { openLocalReader } from './index.ts';

const sandbox = openSandbox({ processes: 1, memoryMb: 2048, recycleAfter: 100 });
const reader = openLocalReader({
  sandbox,
  maxPages: 5,
  maxPixels: 4_000_000,
  languages: [],
  pageTimeoutMs: 120_000,
  // Less than it takes some of them to fill the memory.
  pageCpuMs: 2500,
});
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

async function read(name: keyof typeof hostilePdfs, lane: Lane) {
  const path = join(folder, 'hostile.pdf');
  await writeFile(path, hostilePdfs[name]());
  const largeFrom = lane === 'small' ? 100 : undefined;
  const file = { path, mediaType: 'application/pdf', lane, largeFrom };
  return reader.read(file, new AbortController().signal);
}

const endless = ['nested forms', 'self reference'] as const;

describe.skipIf(process.platform !== 'linux')(
  'a small PDF that costs minutes',
  { timeout: 180_000 },
  () => {
    test('has a few kilobytes', () => {
      for (const name of keys(hostilePdfs)) expect(hostilePdfs[name]().length).toBeLessThan(4000);
    });

    test.each(['self reference', 'tiny tiles', 'flate chain'] as const)(
      'leaves the small lane: %s',
      async (name) => {
        await expect(read(name, 'small')).rejects.toThrow(LargeDocumentError);
      },
    );

    test.each(endless)('is rejected in the large lane: %s', async (name) => {
      const error = await read(name, 'large').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PermanentError);
      expect(error).toMatchObject({
        code: 'TOO_SLOW',
        message: 'Page 1 was omitted: content.text used more than 2.5 s of CPU time and was killed',
      });
    });

    test('keeps what was read of it, if only drawing is too slow', async () => {
      const { pages, problems } = await read('tiny tiles', 'large');
      expect(pages.map(({ text }) => text)).toEqual(['']);
      expect(problems).toEqual([
        { code: 'OCR_SKIPPED', message: expect.stringMatching(/^Page 1 .* 2.5 s of CPU time/) },
      ]);
    });

    test('is read, if it merely has thousands of images', async () => {
      const { pages, problems } = await read('thousands of images', 'large');
      expect(pages.map(({ text }) => text)).toEqual(['']);
      expect(problems).toEqual([]);
    });
  },
);
