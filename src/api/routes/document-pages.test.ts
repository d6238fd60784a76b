import { PDFDocument } from '@cantoo/pdf-lib';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { documents } from '../../db/schema/documents.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import type { Page } from '../../domain/transcription.ts';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { storageKeys } from '../../storage/keys.ts';
import { saveTranscription } from '../../storage/transcriptions.ts';

const sandbox = openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 100 });
const drawn: unknown[] = [];
/** Counts the pages that are drawn. */
const counting = {
  run: (...job: Parameters<Sandbox['run']>) => {
    if (job[0] === 'rendition.page') drawn.push(job[1]);
    return sandbox.run(...job);
  },
  close: () => sandbox.close(),
} as Sandbox;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ resources: { sandbox: counting }, maxBytes: 2 ** 26 });
});
afterAll(() => api.close());

const at = (id: string, rest = '') => `/v1/documents/${id}/pages${rest}`;
const problem = async (response: Response) =>
  z.looseObject({ code: z.string(), hint: z.string().optional() }).parse(await response.json());

const page = (number: number, changes: Partial<Page> = {}): Page => ({
  number,
  width: 100,
  height: 200,
  text: 'Total 12.50',
  words: [
    { text: 'Total', box: [10, 20, 30, 40], confidence: 0.9 },
    { text: '12.50', box: [40, 20, 60, 40], confidence: 0.8 },
  ],
  quality: { score: 0.9, defects: [] },
  native: true,
  ...changes,
});

/** A document that was read with these pages. */
async function read(
  body: Buffer | string,
  mediaType: string,
  pages: Page[],
  engine = 'local/7',
): Promise<string> {
  const { documentId } = await api.admit(body, 'file');
  await drain(api.runnerWith());
  const { db } = api.resources.database;
  const { id } = await api.ingestionOf(documentId);
  const key = storageKeys.transcription(id, 1);
  const transcription = { engine, pages, embedded: [], problems: [] };
  const { sha256 } = await saveTranscription(api.resources.storage, key, 'source', transcription);
  await db.update(documents).set({ mediaType }).where(eq(documents.id, documentId));
  await db
    .update(ingestions)
    .set({ transcriptionKey: key, transcriptionSha256: sha256, pages: pages.length })
    .where(eq(ingestions.id, id));
  return documentId;
}

async function pdfOf(count: number, size: [number, number] = [100, 200]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (let i = 0; i < count; i += 1) pdf.addPage(size);
  return Buffer.from(await pdf.save());
}

/** White, with a black square in the top left corner. */
async function cornered(): Promise<Buffer> {
  const square = await sharp({
    create: { width: 20, height: 20, channels: 3, background: '#000' },
  })
    .png()
    .toBuffer();
  return sharp({ create: { width: 200, height: 100, channels: 3, background: '#fff' } })
    .composite([{ input: square, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

/** In which corner an image is dark, and its size. */
async function look(response: Response) {
  const image = sharp(Buffer.from(await response.arrayBuffer()));
  const { data, info } = await image.greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const level = (x: number, y: number) => data[(y * width + x) * info.channels] ?? 255;
  const corners = {
    'top left': level(5, 5),
    'top right': level(width - 6, 5),
    'bottom right': level(width - 6, height - 6),
    'bottom left': level(5, height - 6),
  };
  const dark = Object.entries(corners).flatMap(([name, grey]) => (grey < 128 ? [name] : []));
  return { width, height, dark };
}

describe('the pages of a document', () => {
  test('are listed with size, unit, origin and number of words', async () => {
    const id = await read(await pdfOf(2), 'application/pdf', [
      page(1),
      page(2, { native: false, rotation: 90, repairedAs: 1, words: [] }),
    ]);
    const response = await api.call(at(id));
    const common = { width: 100, height: 200, quality: { score: 0.9, defects: [] } };
    expect(await response.json()).toEqual({
      images: true,
      pages: [
        {
          ...{ number: 1, unit: 'point', rotation: 0, repaired: false, native: true, words: 2 },
          ...common,
        },
        {
          ...{ number: 2, unit: 'pixel', rotation: 90, repaired: true, native: false, words: 0 },
          ...common,
        },
      ],
    });
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const etag = response.headers.get('etag') ?? '';
    const again = await api.call(at(id), { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('have words with boxes in fractions of the page', async () => {
    const id = await read(await pdfOf(1), 'application/pdf', [page(1)]);
    expect(await (await api.call(at(id, '/1/words'))).json()).toEqual({
      number: 1,
      words: [
        { text: 'Total', box: [0.1, 0.1, 0.3, 0.2], confidence: 0.9 },
        { text: '12.50', box: [0.4, 0.1, 0.6, 0.2], confidence: 0.8 },
      ],
    });
    for (const path of ['/2/words', '/2/image', '/0/words', '/x/image', '/-1/image'])
      expect((await api.call(at(id, path))).status).toBe(404);
  });

  test('of a file without pages of its own have no image', async () => {
    const id = await read('text', 'text/plain', [page(1, { width: 0, height: 0, words: [] })]);
    expect(await (await api.call(at(id))).json()).toMatchObject({
      images: false,
      pages: [{ number: 1, width: null, unit: null }],
    });
    const response = await api.call(at(id, '/1/image'));
    expect(response.status).toBe(404);
    expect(await problem(response)).toMatchObject({
      code: 'NO_PAGE_IMAGE',
      hint: expect.stringContaining('/text'),
    });
  });

  test('are refused while it is on its way, and absent if it was not read', async () => {
    const { documentId } = await api.admit('text', 'early.txt');
    expect(await problem(await api.call(at(documentId)))).toMatchObject({ code: 'IN_PROGRESS' });
    await drain(api.runnerWith());
    const response = await api.call(at(documentId, '/1/image'));
    expect(response.status).toBe(404);
    expect(await problem(response)).toMatchObject({ code: 'NO_PAGES' });
  });
});

describe('the image of a page', () => {
  test('is drawn once for requests at the same time, without the other pages', async () => {
    const numbers = Array.from({ length: 1000 }, (_, i) => page(i + 1));
    const id = await read(await pdfOf(1000), 'application/pdf', numbers);
    drawn.length = 0;
    const both = await Promise.all([1, 2].map(() => api.call(at(id, '/1/image?width=300'))));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = await Promise.all(both.map((each) => each.arrayBuffer()));
    expect(first?.byteLength).toBe(second?.byteLength);
    expect((await api.call(at(id, '/1/image?width=320'))).status).toBe(200);
    expect(drawn).toMatchObject([{ page: 1, width: 320 }]);
    const { ingestionId } = await api.documentOf(id);
    const kept = (await api.objects()).filter((key) => key.includes(`${ingestionId}/renditions/`));
    expect(kept).toEqual([expect.stringMatching(/\/page-1-320\.webp$/)]);
  });

  test('is WebP or PNG, may be kept by the browser only, and is asked for again', async () => {
    const id = await read(await pdfOf(1), 'application/pdf', [page(1)]);
    const png = await api.call(at(id, '/1/image'), { headers: { accept: 'image/png' } });
    expect(Object.fromEntries(png.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, no-cache',
      'content-security-policy': 'sandbox',
      vary: expect.stringContaining('Accept'),
    });
    expect(await look(png)).toMatchObject({ width: 1024, height: 2048 });
    const webp = await api.call(at(id, '/1/image?format=webp'));
    expect(webp.headers.get('content-type')).toBe('image/webp');
    const headers = { accept: 'image/png', 'if-none-match': png.headers.get('etag') ?? '' };
    expect((await api.call(at(id, '/1/image'), { headers })).status).toBe(304);
    expect((await api.call(at(id, '/1/image?format=webp'), { headers })).status).toBe(200);
    const none = await api.call(at(id, '/1/image'), { headers: { accept: 'text/html' } });
    expect([none.status, (await problem(none)).code]).toEqual([406, 'NOT_ACCEPTABLE']);
  });

  test.each([
    [undefined, { width: 200, height: 100, dark: ['top left'] }],
    [90, { width: 100, height: 200, dark: ['top right'] }],
    [180, { width: 200, height: 100, dark: ['bottom right'] }],
    [270, { width: 100, height: 200, dark: ['bottom left'] }],
  ] as const)('is turned by %s degrees, as the page was to be read', async (rotation, seen) => {
    const id = await read(await cornered(), 'image/png', [page(1, { rotation, native: false })]);
    expect(await look(await api.call(at(id, '/1/image')))).toEqual(seen);
  });

  test('is that of the repaired page, if it was read there', async () => {
    const repaired = page(2, { native: false, repairedAs: 1 });
    const id = await read(await pdfOf(2), 'application/pdf', [page(1), repaired]);
    const { ingestionId } = await api.documentOf(id);
    const preprocessedKey = storageKeys.preprocessed(ingestionId, 'png');
    await api.resources.storage.put(preprocessedKey, await cornered());
    await api.resources.database.db
      .update(ingestions)
      .set({ preprocessedKey, preprocessedType: 'image/png', preprocessedPages: [2] })
      .where(eq(ingestions.id, ingestionId));
    expect(await look(await api.call(at(id, '/2/image')))).toMatchObject({ dark: ['top left'] });
    expect(await look(await api.call(at(id, '/1/image')))).toMatchObject({ dark: [] });
  });

  test('of a page of 5 by 5 metres has the width that was asked for', async () => {
    const side = 14_173;
    const id = await read(await pdfOf(1, [side, side]), 'application/pdf', [page(1)]);
    expect(await look(await api.call(at(id, '/1/image?width=99999')))).toMatchObject({
      width: 2048,
    });
  });

  test('of a very long strip stays within what the format allows', async () => {
    const id = await read(await pdfOf(1, [10, 14_400]), 'application/pdf', [page(1)]);
    const { height } = await look(await api.call(at(id, '/1/image')));
    expect(height).toBeLessThanOrEqual(16_383);
  });

  test('of an image with too many pixels is a problem, and the next one is drawn', async () => {
    const large = await sharp({
      create: { width: 20_000, height: 15_000, channels: 3, background: '#fff' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const id = await read(large, 'image/png', [page(1)]);
    const response = await api.call(at(id, '/1/image'));
    expect(response.status).toBe(422);
    expect(await problem(response)).toMatchObject({
      code: 'IMAGE_TOO_LARGE',
      hint: expect.stringContaining('MILLRACE_MAX_PIXELS'),
    });
    const next = await read(await cornered(), 'image/png', [page(1)]);
    expect((await api.call(at(next, '/1/image'))).status).toBe(200);
  });

  test('of a damaged file is a problem with its code', async () => {
    const id = await read('%PDF-1.7 and no more', 'application/pdf', [page(1)]);
    const response = await api.call(at(id, '/1/image'));
    expect([response.status, (await problem(response)).code]).toEqual([422, 'INVALID_FILE']);
  });

  test('is removed with its document', async () => {
    const id = await read(await pdfOf(1), 'application/pdf', [page(1)]);
    const { ingestionId } = await api.documentOf(id);
    await (await api.call(at(id, '/1/image'))).arrayBuffer();
    const own = async () => (await api.objects()).filter((key) => key.includes(ingestionId));
    expect((await own()).some((key) => key.includes('/renditions/'))).toBe(true);
    expect((await api.call(`/v1/documents/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await own()).toEqual([]);
    expect((await api.call(at(id, '/1/image'))).status).toBe(404);
  });
});
