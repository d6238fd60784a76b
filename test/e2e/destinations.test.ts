import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { newKeyText } from '../../src/db/api-keys.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { startManagerSimulator } from '../../src/simulators/manager/index.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { runCli, startCli } from '../kit/cli.ts';
import { openTestEngine } from '../kit/engine.ts';
import { everythingInPostgres, everythingInRedis } from '../kit/everything.ts';
import { startReceiver } from '../kit/receiver.ts';
import { uniquePrefix } from '../kit/redis.ts';
import { signedBy } from '../kit/signed-by.ts';

const patience = { timeout: 60_000, interval: 100 };
const token = 'canary-token-of-a-manager-0123456789';

/** A server with everything logged, something to deliver to, and somebody to tell of it. */
async function open() {
  const engine = await openTestEngine(pipeline);
  onTestFinished(engine.close);
  const redis = new Redis(inject('redisUrl'));
  onTestFinished(() => redis.disconnect());
  const manager = await startManagerSimulator({ token });
  onTestFinished(() => manager.close());
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const [key, port, prefix] = [newKeyText(), await freePort(), uniquePrefix()];
  const url = `http://127.0.0.1:${port}`;
  const server = startCli(['up', '--port', String(port)], {
    DATABASE_URL: engine.url,
    REDIS_URL: inject('redisUrl'),
    MILLRACE_DATA: engine.directory,
    MILLRACE_REDIS_PREFIX: prefix,
    MILLRACE_API_KEY: key,
    MILLRACE_SECRET_KEY: 'the key of a test, which is long enough',
    MILLRACE_OUTGOING_ALLOW: '127.0.0.0/8',
    MILLRACE_OUTGOING_INSECURE: 'true',
    MILLRACE_SHUTDOWN_GRACE: '0s',
    MILLRACE_SANDBOX_PROCESSES: '1',
    LOG_LEVEL: 'trace',
  });
  onTestFinished(() => void server.child.kill('SIGKILL'));
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), patience);
  const millrace = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, {
      MILLRACE_URL: url,
      MILLRACE_API_KEY: key,
    });
    return { code, out: stdout.trim(), stderr };
  };
  const get = async (path: string) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).text();
  return { engine, redis, prefix, manager, receiver, server, millrace, get };
}

test('the command line sets up destinations and webhooks, and their secrets show up nowhere', {
  timeout: 180_000,
}, async () => {
  const { engine, redis, prefix, manager, receiver, server, millrace, get } = await open();
  const said: string[] = [];
  const told = async (...args: string[]) => {
    const { code, out, stderr } = await millrace(...args);
    said.push(out, stderr);
    return { code, out };
  };

  const { out: destination } = await told(
    'destination',
    'add',
    'http',
    'archive',
    `url=${manager.url}`,
    '--secret',
    `token=${token}`,
  );
  expect((await told('destination', 'list')).out).toBe(`${destination}  http  archive  on`);
  expect(await told('destination', 'test', destination)).toEqual({
    code: 0,
    out: expect.stringContaining('works: 127.0.0.1'),
  });
  const wrong = await told(
    'destination',
    'add',
    'http',
    'wrong',
    `url=${manager.url}`,
    '--secret',
    'token=canary-wrong-token',
    '--hold',
    '3600',
  );
  expect(await told('destination', 'test', wrong.out)).toEqual({
    code: 3,
    out: expect.stringContaining('credentials (401)'),
  });

  const added = await millrace(
    'webhook',
    'add',
    receiver.url,
    '--types',
    'DOCUMENT_PROCESSED,DELIVERY_CHANGED',
  );
  const [webhook = '', secret = ''] = added.out.split(/\s+/);
  expect(secret).toMatch(/^whsec_/);
  expect((await told('webhook', 'list')).out).toContain(`${webhook}  ${receiver.url}  active`);
  expect(await told('webhook', 'test', webhook)).toEqual({ code: 0, out: 'delivered' });

  const file = join(engine.directory, 'letter.txt');
  await writeFile(file, 'Invoice 7\nDate: 2026-03-01\nTotal: 12.00 EUR\n');
  expect((await told('submit', file)).code).toBe(0);
  await vi.waitFor(
    async () =>
      expect((await millrace('deliveries', '--status', 'MANAGED')).out).toContain('archive'),
    patience,
  );
  expect((await told('deliveries', '--status', 'SCHEDULED')).out).toContain('letter.txt → wrong');
  const [delivery = ''] = (await told('deliveries', '--status', 'MANAGED')).out.split(' ');
  expect((await told('deliveries', 'resend', delivery)).out).toContain(delivery);
  expect((await told('deliveries', 'retry', delivery)).code).toBe(1);
  await vi.waitFor(() => expect([...manager.store.handedOver.values()]).toEqual([2]), patience);

  const events = () => receiver.received.map(({ body }) => JSON.parse(body).type);
  await vi.waitFor(() => expect(events()).toContain('DOCUMENT_PROCESSED'), patience);
  const before = receiver.received.length;
  expect(
    (await told('webhook', 'replay', webhook, '--from', new Date(0).toISOString())).out,
  ).toMatch(/^\d+ to be sent again$/);
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(before), patience);
  expect(receiver.received.every((message) => signedBy(secret, message))).toBe(true);

  const paths = [
    '/v1/destinations',
    `/v1/destinations/${destination}`,
    '/v1/webhooks',
    `/v1/webhooks/${webhook}`,
    `/v1/webhooks/${webhook}/messages`,
    '/v1/deliveries',
    '/v1/events',
    '/metrics',
    '/openapi.json',
  ];
  const answers = (await Promise.all(paths.map(get))).join();
  server.child.kill('SIGTERM');
  await server.exited;
  const places = {
    'command line': said.join(),
    answers,
    log: (await server.stdout) + (await server.stderr),
    redis: await everythingInRedis(redis, prefix),
    postgres: await everythingInPostgres(engine.resources.database.pool),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length).toBeGreaterThan(100);
    for (const canary of [token, 'canary-wrong-token', secret, secret.slice('whsec_'.length)])
      expect([place, canary, text.includes(canary)]).toEqual([place, canary, false]);
  }
});
