import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { BusyError } from '../../../errors.ts';
import { openDocumentAi } from './index.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setup(listener: RequestListener) {
  const folder = await mkdtemp(join(tmpdir(), 'documentai-rest-'));
  const path = join(folder, 'scan.png');
  await writeFile(path, 'a scan');
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const processor = 'projects/p/locations/us/processors/abc';
  const settings = {
    processor,
    endpoint: '127.0.0.1',
    port,
    transport: 'rest',
    plaintext: true,
  } as const;
  const reader = openDocumentAi(settings, async () => undefined);
  closers.push(
    () => rm(folder, { recursive: true }),
    () => server.closeAllConnections(),
    () => server.close(),
    () => reader.close(),
  );
  return { reader, file: { path, mediaType: 'image/png' } };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  return JSON.parse(Buffer.concat(await request.toArray()).toString());
}

test('reads over REST', async () => {
  const asked: unknown[] = [];
  const { reader, file } = await setup(async (request, response) => {
    asked.push(request.url?.split('?')[0], await bodyOf(request));
    const layout = { textAnchor: { textSegments: [{ endIndex: '5' }] }, confidence: 0.5 };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        document: { text: 'Hello', pages: [{ pageNumber: 1, layout, tokens: [{ layout }] }] },
      }),
    );
  });
  const { pages } = await reader.read(file, new AbortController().signal);
  expect(pages).toMatchObject([
    { number: 1, text: 'Hello', words: [{ text: 'Hello' }], quality: { score: 0.5 } },
  ]);
  expect(asked).toMatchObject([
    '/v1/projects/p/locations/us/processors/abc:process',
    { rawDocument: { content: Buffer.from('a scan').toString('base64'), mimeType: 'image/png' } },
  ]);
});

test('understands throttling over REST', async () => {
  const { reader, file } = await setup((_, response) => {
    const detail = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' };
    response.writeHead(429, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota', details: [detail] },
      }),
    );
  });
  const error = await reader
    .read(file, new AbortController().signal)
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(BusyError);
  expect(error).toMatchObject({
    retryAfterMs: 7_000,
    message: 'Document AI returned RESOURCE_EXHAUSTED: Quota',
  });
  expect(inspect(error, { depth: 10 })).not.toContain(Buffer.from('a scan').toString('base64'));
  expect(error).toMatchObject({ retryAfterMs: 7_000 });
});
