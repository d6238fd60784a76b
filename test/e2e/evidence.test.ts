import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Box } from '../../src/domain/transcription.ts';
import { openLocalExtractor } from '../../src/extraction/local.ts';
import { withinEdits } from '../../src/lib/edit-distance.ts';
import { fold } from '../../src/lib/fold.ts';
import { openLocalReader } from '../../src/providers/ocr/local/index.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { runOperation } from '../../src/sandbox/run-operation.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { openTestApi, type TestApi } from '../kit/api.ts';
import { drain } from '../kit/drain.ts';
import { temporaryDirectory } from '../kit/temporary-directory.ts';

const sandbox = openSandbox({ processes: 1, memoryMb: 2048, recycleAfter: 100 });
const maxPixels = 40_000_000;
let api: TestApi;
beforeAll(async () => {
  const limits = { maxPages: 100, maxPixels, pageTimeoutMs: 120_000 };
  const reader = openLocalReader({ sandbox, ...limits, languages: [] });
  api = await openTestApi({
    pipeline,
    resources: { sandbox, reader, extractor: openLocalExtractor() },
  });
});
afterAll(() => api.close());

const sample = (name: string) => readFile(new URL(`../../samples/${name}`, import.meta.url));
const box = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const evidence = z.looseObject({
  page: z.number(),
  text: z.string(),
  printed: z.string().optional(),
  relativeBox: box,
});
const result = z.looseObject({
  verdict: z.looseObject({
    fields: z.record(z.string(), z.looseObject({ evidence: evidence.optional() })),
  }),
});

/** Whether a text was read again. The recogniser may misread a letter of words, but no number. */
function isIn(seen: string, text: string): boolean {
  const [whole, part] = [fold(seen), fold(text)];
  if (whole.includes(part)) return true;
  if (/^[\d\W]*$/.test(text)) return false;
  const edits = Math.ceil(part.length / 8);
  return [...whole].some((_, start) =>
    [-1, 0, 1].some((more) =>
      withinEdits(whole.slice(start, start + part.length + more), part, edits),
    ),
  );
}

/** Some white around the words, which the recogniser needs. */
const margin = 0.006;

/** Reads the part of an image again. */
async function readPart(image: Buffer, [left, top, right, bottom]: Box): Promise<string> {
  const { width, height } = await sharp(image).metadata();
  const [x, y] = [Math.max(0, left - margin) * width, Math.max(0, top - margin) * height];
  const crop = {
    left: Math.floor(x),
    top: Math.floor(y),
    width: Math.floor(Math.min(1, right + margin) * width - x),
    height: Math.floor(Math.min(1, bottom + margin) * height - y),
  };
  const path = join(await temporaryDirectory(), 'crop.png');
  const white = { top: 40, bottom: 40, left: 40, right: 40, background: '#fff' };
  await writeFile(path, await sharp(image).extract(crop).extend(white).png().toBuffer());
  const input = { path, mediaType: 'image/png', page: 1, maxPixels, script: 'latin' } as const;
  return (await sandbox.run('recognition.page', input, { timeoutMs: 120_000 })).text;
}

/** Turned so that OCR has to turn it back. */
const turned = async (name: string, degrees: number) =>
  sharp(await sample(name))
    .rotate(degrees)
    .png()
    .toBuffer();

test.each([
  ['text of a PDF', () => sample('invoice.pdf'), { native: true }],
  ['data embedded in a PDF, where it is printed', () => sample('einvoice.pdf'), { native: true }],
  ['a scanned PDF', () => sample('scan.pdf'), { native: false }],
  ['a photo', () => sample('receipt.jpg'), { rotation: 0 }],
  ['a photo on its left side', () => turned('receipt.jpg', 270), { rotation: 90 }],
  ['a photo on its right side', () => turned('receipt.jpg', 90), { rotation: 270 }],
  ['a photo upside down', () => turned('receipt.jpg', 180), { rotation: 180 }],
  ['a poor scan that was repaired', () => sample('poor-scan.png'), { repaired: true }],
])('the crop of the page at the evidence contains the value: %s', async (_, open, origin) => {
  const { documentId } = await api.admit(await open(), 'document');
  await drain(api.runnerWith(), (work) => runOperation(operations, work));
  const { verdict } = result.parse(
    await (await api.call(`/v1/documents/${documentId}/result`)).json(),
  );
  const listed = await (await api.call(`/v1/documents/${documentId}/pages`)).json();
  expect(listed).toMatchObject({ pages: [origin] });
  const found = Object.values(verdict.fields).flatMap((field) => field.evidence ?? []);
  expect(found.length).toBeGreaterThan(3);
  const wrong: string[] = [];
  for (const { page, text, printed = text, relativeBox } of found) {
    const path = `/v1/documents/${documentId}/pages/${page}/image?width=2048&format=png`;
    const image = Buffer.from(await (await api.call(path)).arrayBuffer());
    const seen = await readPart(image, relativeBox);
    const lines = printed.split('\n').filter((line) => !isIn(seen, line));
    wrong.push(...lines.map((line) => `${line} | ${seen}`));
  }
  expect(wrong).toEqual([]);
});
