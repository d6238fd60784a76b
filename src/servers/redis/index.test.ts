import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../../test/kit/certificate.ts';
import { startRedisCluster } from '../../../test/kit/redis-cluster.ts';
import { startRedisSentinel } from '../../../test/kit/redis-sentinel.ts';
import { hasRedis, startRedisServer } from '../../../test/kit/redis-server.ts';
import { Closers } from '../../lib/closers.ts';
import { startRedis } from '../embedded/redis.ts';
import { openRedis } from './index.ts';

/** A directory and closers for this test, and a way to open its servers. */
async function begin() {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-redis-'));
  const [closers, servers] = [new Closers(), new Closers()];
  onTestFinished(async () => {
    await closers.close();
    await servers.close();
    await rm(directory, { recursive: true, force: true });
  });
  const open = (url: string, caFile?: string) =>
    openRedis({ url, caFile, prefix: 'millrace' }, pino({ level: 'silent' }), closers);
  return { directory, servers, open };
}

async function start() {
  const { directory, servers, open } = await begin();
  const server = await startRedis({ directory, engine: 'auto' });
  servers.add(() => server.stop());
  const { producer: client } = await open(server.adminUrl);
  return { url: server.url, client, open };
}

test('a Redis that does not know the password is not asked for long', async () => {
  const { url, open } = await start();
  await expect(open(url.replace(/:[^:@]+@/, ':wrong@'))).rejects.toMatchObject({
    message: expect.stringContaining('refused the login: WRONGPASS'),
    hint: expect.stringContaining('REDIS_URL'),
  });
});

test('a Redis that may evict keys is refused, with the command that mends it', async () => {
  const { url, client, open } = await start();
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await expect(open(url)).rejects.toMatchObject({
    message: expect.stringContaining('allkeys-lru'),
    hint: expect.stringContaining('config set maxmemory-policy noeviction'),
  });
});

describe.skipIf(!hasRedis)('a server of another kind than the URL states is refused', () => {
  test('a node of a cluster, a single server as a cluster', { timeout: 60_000 }, async () => {
    const { directory, servers, open } = await begin();
    const { masters, url } = await startRedisCluster({ directory }, servers);
    const { producer } = await open(url);
    expect(producer.isCluster).toBe(true);
    const one = masters[0]?.url ?? '';
    await expect(open(one)).rejects.toMatchObject({
      message: expect.stringContaining('node of a Redis Cluster'),
      hint: expect.stringContaining(one.replace('redis:', 'redis+cluster:')),
    });
    await open(one.replace('redis:', 'redis+cluster:'));
    const single = await startRedisServer({ directory });
    servers.add(() => single.stop());
    await expect(open(single.url.replace('redis:', 'redis+cluster:'))).rejects.toMatchObject({
      message: expect.stringContaining('does not run in cluster mode'),
      hint: expect.stringContaining(single.url),
    });
    await masters[1]?.client.config('SET', 'maxmemory-policy', 'volatile-lru');
    await expect(open(url)).rejects.toThrow('volatile-lru');
  });

  test('a Sentinel, a replica, a server as a Sentinel', { timeout: 60_000 }, async () => {
    const { directory, servers, open } = await begin();
    const { servers: both, sentinels, url, master } = await startRedisSentinel(directory, servers);
    await open(url);
    // One that is away delays nothing.
    const begun = performance.now();
    await open(url.replace('//', '//127.0.0.1:1,'));
    expect(performance.now() - begun).toBeLessThan(8000);
    const sentinel = sentinels[0]?.url ?? '';
    await expect(open(sentinel)).rejects.toMatchObject({
      message: expect.stringContaining('is a Sentinel'),
      hint: expect.stringContaining('redis+sentinel://'),
    });
    const [first, second] = both;
    await expect(open(second.url)).rejects.toMatchObject({
      message: expect.stringContaining('is a replica'),
      hint: expect.stringContaining(first.url),
    });
    await expect(
      open(`${first.url.replace('redis:', 'redis+sentinel:')}/${master}`),
    ).rejects.toMatchObject({ message: expect.stringContaining('not a Sentinel') });
    await expect(open(url.replace(master, 'other'))).rejects.toMatchObject({
      message: expect.stringContaining('no master named "other"'),
      hint: expect.stringContaining('It watches: mymaster'),
    });
  });
});

test.skipIf(!hasRedis)('TLS with a private authority', { timeout: 60_000 }, async () => {
  const { directory, servers, open } = await begin();
  const { key, cert } = selfSigned('localhost');
  const files = { key: join(directory, 'key.pem'), cert: join(directory, 'cert.pem') };
  await Promise.all([writeFile(files.key, key), writeFile(files.cert, cert)]);
  const { freePort } = await import('../embedded/free-port.ts');
  const port = await freePort();
  const server = await startRedisServer({
    directory,
    port,
    settings: {
      'tls-port': String(port),
      'tls-cert-file': files.cert,
      'tls-key-file': files.key,
      'tls-ca-cert-file': files.cert,
      'tls-auth-clients': 'no',
    },
    login: { tls: { rejectUnauthorized: false } },
  });
  servers.add(() => server.stop());
  const { producer } = await open(`rediss://localhost:${port}?family=4`, files.cert);
  expect(await producer.ping()).toBe('PONG');
  await expect(open(`rediss://localhost:${port}`, join(directory, 'none.pem'))).rejects.toThrow(
    'cannot be read',
  );
  await expect(open(`rediss://localhost:${port}`)).rejects.toMatchObject({
    message: expect.stringContaining('is not trusted'),
    hint: expect.stringContaining('REDIS_CA_FILE'),
  });
});
