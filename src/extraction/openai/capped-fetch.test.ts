import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cappedFetch } from './capped-fetch.ts';

const server = createServer((request, response) => {
  const body = Buffer.alloc(Number(request.url?.slice(1)), ' ');
  response.setHeader('content-encoding', 'gzip');
  response.end(gzipSync(body));
});
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('an answer within the limit is read', async () => {
  const response = await cappedFetch(1_000)(`${url}/1000`);
  expect((await response.text()).length).toBe(1_000);
});

test('one that swells while it is unpacked is not', async () => {
  const response = await cappedFetch(1_000_000)(`${url}/50000000`);
  await expect(response.text()).rejects.toThrow('longer than 1000000 bytes');
});
