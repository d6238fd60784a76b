import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { newKeyText } from '../../src/db/api-keys.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { encryptedPdf } from '../kit/bad-files.ts';
import { startCli } from '../kit/cli.ts';
import { openTestEngine } from '../kit/engine.ts';
import { everythingInPostgres, everythingInRedis } from '../kit/everything.ts';
import { uniquePrefix } from '../kit/redis.ts';

/** A server with canaries for secrets, a vendor that is not there, and everything logged. */
const prefix = uniquePrefix();
const patience = { timeout: 60_000, interval: 100 };
let engine: Awaited<ReturnType<typeof openTestEngine>>;
let redis: Redis;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
  redis = new Redis(inject('redisUrl'));
});
afterAll(async () => {
  redis.disconnect();
  await engine.close();
});

test('secrets are in no output, not in Redis and not in Postgres', {
  timeout: 120_000,
}, async () => {
  const key = newKeyText();
  const port = await freePort();
  const closedPort = await freePort();
  const canaries = {
    OPENAI_API_KEY: 'canary-openai-0123456789',
    AWS_SECRET_ACCESS_KEY: 'canary-aws-0123456789',
  };
  const server = startCli(['up', '--port', String(port)], {
    DATABASE_URL: engine.url,
    REDIS_URL: inject('redisUrl'),
    MILLRACE_DATA: engine.directory,
    MILLRACE_REDIS_PREFIX: prefix,
    MILLRACE_API_KEY: key,
    MILLRACE_SHUTDOWN_GRACE: '0s',
    MILLRACE_SANDBOX_PROCESSES: '1',
    OPENAI_BASE_URL: `http://127.0.0.1:${closedPort}/v1`,
    MILLRACE_SECRET_KEY: 'canary-secret-key-which-is-long-enough',
    LOG_LEVEL: 'trace',
    ...canaries,
  });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const authorization = `Bearer ${key}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), patience);
  await fetch(`${url}/v1/documents?name=letter.txt`, {
    method: 'POST',
    body: 'Invoice 1',
    headers: { authorization },
  });
  await fetch(`${url}/v1/documents?key=${key}`, {
    headers: { authorization: 'Bearer canary-wrong-key' },
  });
  const login = await fetch(`${url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ key }),
    redirect: 'manual',
  });
  const session = /millrace_session=([^;]+)/.exec(login.headers.get('set-cookie') ?? '')?.[1] ?? '';
  expect(session).toHaveLength(43);
  const { pool } = engine.resources.database;
  await fetch(`${url}/v1/documents?name=locked.pdf`, {
    method: 'POST',
    body: new Uint8Array(await encryptedPdf()),
    headers: { authorization },
  });
  const found = (query: string) =>
    vi.waitFor(async () => {
      const { rows } = await pool.query<{ id: string }>(query);
      expect(rows).not.toEqual([]);
      return rows[0]?.id;
    }, patience);
  const letter = await found("select id from dead_letters where code = 'PASSWORD_PROTECTED'");
  const replayed = await fetch(`${url}/admin/dlq/${letter}/replay`, {
    method: 'POST',
    body: JSON.stringify({ overrides: { password: 'open sesame' } }),
    headers: { authorization, 'content-type': 'application/json' },
  });
  expect(replayed.status).toBe(202);
  await found("select id from tasks where last_error is not null and stage = 'extract'");
  // It was opened, and is kept for as long as it waits for the vendor.
  await found(
    'select id from ingestions where sealed_password is not null and transcription_key is not null',
  );
  server.child.kill('SIGTERM');
  await server.exited;
  const output = (await server.stdout) + (await server.stderr);
  expect(output).toContain('will be retried');

  // The key of `up` is shown once to whoever starts it; everywhere else it is a secret.
  const shown = output.replace(`  key      ${key}\n`, '');
  const secret = key.split('_').slice(2).join('_');
  const places = {
    output: shown,
    redis: await everythingInRedis(redis, prefix),
    postgres: await everythingInPostgres(pool),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length).toBeGreaterThan(100);
    for (const canary of [
      ...Object.values(canaries),
      'canary-wrong-key',
      'canary-secret-key',
      'open sesame',
      secret,
      session,
    ])
      expect([place, canary, text.includes(canary)]).toEqual([place, canary, false]);
  }
});
