import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLines, invoiceLines, makePdf } from '../../../../test/kit/documents.ts';
import { openSandbox } from '../../../sandbox/sandbox.ts';
import type { RunOptions } from '../../../sandbox/worker-process.ts';
import { openLocalReader } from './index.ts';

const sandbox = openSandbox({ processes: 1, memoryMb: 2048, recycleAfter: 100 });
const options = { maxPages: 5, maxPixels: 20_000_000, languages: [], pageTimeoutMs: 60_000 };
const reader = openLocalReader({ sandbox, ...options });
const signal = new AbortController().signal;
const salvage = new AbortController().signal;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'salvage-'));
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** A reader whose sandbox process dies in this operation on the second page. */
const failingIn = (failing: string) =>
  openLocalReader({
    ...options,
    sandbox: Object.create(sandbox, {
      run: {
        value: (operation: string, input: { page?: number; first?: number }, given: RunOptions) =>
          operation === failing && (input.page ?? input.first) === 2
            ? Promise.reject(new Error('the process died'))
            : sandbox.run(operation as 'recognition.page', input as never, given),
      },
    }),
  });

/** One page with text and one blank page. */
async function halfEmpty() {
  const path = await makePdf(join(folder, 'half.pdf'), async (pdf) => {
    await addLines(pdf, invoiceLines);
    pdf.addPage([420, 300]);
  });
  return { path, mediaType: 'application/pdf' };
}

describe('a file of which only the good pages are wanted', () => {
  test('is read without those that cannot be recognised, and says which', async () => {
    const file = await halfEmpty();
    await expect(failingIn('recognition.page').read(file, signal)).rejects.toThrow(
      'the process died',
    );
    const { pages, problems } = await failingIn('recognition.page').read(
      { ...file, salvage },
      signal,
    );
    expect(pages.map(({ text }) => text)).toEqual([invoiceLines.join('\n'), '']);
    expect(problems).toEqual([
      { code: 'OCR_SKIPPED', message: 'Page 2 was not read by OCR: the process died' },
    ]);
  });

  test('is read without those that cannot even be parsed', async () => {
    const file = await halfEmpty();
    const { pages, problems } = await failingIn('content.text').read({ ...file, salvage }, signal);
    expect(pages.map(({ number }) => number)).toEqual([1]);
    expect(problems).toEqual([
      { code: 'TRUNCATED', message: 'Page 2 was omitted: the process died' },
    ]);
  });

  test('is read as far as time allows', async () => {
    const file = await halfEmpty();
    const { pages, problems } = await reader.read(
      { ...file, salvage: AbortSignal.abort() },
      signal,
    );
    expect(pages).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([
      'Page 1 was omitted: the time limit was reached',
      'Page 2 was omitted: the time limit was reached',
    ]);
  });

  test('may be an image as well', async () => {
    const file = {
      path: fileURLToPath(new URL('../../../../samples/pages.tiff', import.meta.url)),
      mediaType: 'image/tiff',
    };
    const { pages, problems } = await failingIn('recognition.page').read(
      { ...file, salvage },
      signal,
    );
    expect(pages.map(({ number }) => number)).not.toContain(2);
    expect(problems).toMatchObject([{ code: 'OCR_SKIPPED' }]);
  });

  test('is not read on when its stage is over', async () => {
    const file = await halfEmpty();
    const over = new AbortController();
    const reading = failingIn('recognition.page').read({ ...file, salvage }, over.signal);
    over.abort(new Error('over'));
    await expect(reading).rejects.toThrow('over');
  });
});
