import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../config/index.ts';
import { openClient, RetryableError } from './client.ts';

/** The error of a command when the server answers like this. */
async function errorOf(status: number, body: object = {}, headers: Record<string, string> = {}) {
  const server = createServer((_, res) => res.writeHead(status, headers).end(JSON.stringify(body)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const MILLRACE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = loadConfig(
    { MILLRACE_URL, MILLRACE_API_KEY: `mr_${'0'.repeat(12)}_${'k'.repeat(32)}` },
    [],
    undefined,
  );
  return openClient(config)('/v1/documents').catch((error: unknown) => error);
}

test.each([
  [
    'a mistake of the caller',
    400,
    { detail: 'limit: too small' },
    { name: 'UsageError', message: 'limit: too small' },
  ],
  [
    'a key it does not know',
    401,
    { hint: 'a header' },
    { hint: expect.stringContaining('Set MILLRACE_API_KEY') },
  ],
  [
    'nothing',
    404,
    { detail: 'There is none' },
    { message: 'There is none', hint: expect.stringContaining('The error was returned by') },
  ],
  ['no words', 500, {}, { message: 'The server answered 500' }],
])('a server that finds %s', async (_, status, body, expected) => {
  expect(await errorOf(status, body)).toMatchObject(expected);
});

test.each([
  ['busy, and says for how long', 503, {}, { 'retry-after': '5' }, { retryAfterMs: 5000 }],
  ['asked too often', 429, {}, {}, { retryAfterMs: undefined }],
  ['in trouble that passes', 507, { retryable: true }, {}, { message: 'The server answered 507' }],
])('a server that is %s may be asked again', async (_, status, body, headers, expected) => {
  const error = await errorOf(status, body, headers);
  expect(error).toBeInstanceOf(RetryableError);
  expect(error).toMatchObject(expected);
});

test('a server that is not set up is not asked again', async () => {
  expect(await errorOf(503, { retryable: false })).not.toBeInstanceOf(RetryableError);
});
