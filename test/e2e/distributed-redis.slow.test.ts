import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { newKeyText } from '../../src/db/api-keys.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';
import { queuePrefix } from '../../src/engine/queues/queues.ts';
import { Closers } from '../../src/lib/closers.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { runCli } from '../kit/cli.ts';
import { minimalAcl } from '../kit/documented.ts';
import { openInstallation, patience } from '../kit/installation.ts';
import { startRedisCluster } from '../kit/redis-cluster.ts';
import { startRedisSentinel } from '../kit/redis-sentinel.ts';
import { hasRedis, startRedisServer } from '../kit/redis-server.ts';

let closers = new Closers();
afterEach(async () => {
  await closers.close();
  closers = new Closers();
});

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-distributed-'));
  closers.add(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

type Installation = Awaited<ReturnType<typeof openInstallation>>;

async function install(redisUrl: string, prefix?: string): Promise<Installation> {
  const installation = await openInstallation({ redisUrl, prefix });
  closers.add(() => installation.close());
  return installation;
}

const sample = (name: string) => readFile(new URL(`../../samples/${name}`, import.meta.url));

/** Sends documents through every queue, breaks something meanwhile, and looks for all of them. */
async function carryThrough(installation: Installation, documents: number, disturb: () => unknown) {
  const { env, admitNew, completed, resources, eventsOf } = installation;
  const [port, key] = [await freePort(), newKeyText()];
  installation.start(['api'], { MILLRACE_PORT: String(port), MILLRACE_API_KEY: key });
  installation.start(['scheduler']);
  installation.start(['worker']);
  const first = await admitNew(await sample('poor-scan.png'), 'poor-scan.png');
  await completed(first);
  const ids = [first];
  for (let i = 0; i < documents; i++) ids.push(await admitNew(`Letter ${i}`, `letter-${i}.txt`));
  ids.push(await admitNew(await sample('invoice.pdf'), 'invoice.pdf'));
  await disturb();
  for (let i = 0; i < 5; i++) ids.push(await admitNew(`Late ${i}`, `late-${i}.txt`));
  await Promise.all(ids.map(completed));
  const ends = await Promise.all(
    ids.map(async (id) => (await eventsOf(id)).filter(({ type }) => type === 'DOCUMENT_PROCESSED')),
  );
  expect(ends.map((events) => events.length)).toEqual(ids.map(() => 1));
  expect(await checkInvariants(resources.database.pool)).toEqual([]);
  const ready = async () =>
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  await vi.waitFor(ready, patience);
  return { doctor: () => runCli(['doctor'], env), trail: await installation.trailOf(first) };
}

const allQueues = ['claim', 'transcribe', 'preprocess', 'transcribe', 'extract', 'finalize'];
const stagesOf = (trail: string[]) => trail.map((step) => step.split(':')[0]);

describe.skipIf(!hasRedis)('documents pass every queue, and none is lost or doubled', () => {
  test('on a Redis Cluster whose master is killed', { timeout: 400_000 }, async () => {
    const cluster = await startRedisCluster(
      { directory: await directory(), replicas: true },
      closers,
    );
    const installation = await install(cluster.url);
    const slot = Number(
      await cluster.masters[0]?.client.call(
        'CLUSTER',
        'KEYSLOT',
        queuePrefix(installation.prefix, 'claim'),
      ),
    );
    const { doctor, trail } = await carryThrough(installation, 25, () =>
      cluster.failOver(Math.floor((slot * 3) / 16_384)),
    );
    expect(stagesOf(trail)).toEqual(allQueues);
    expect((await doctor()).stdout).toContain('cluster of 3 masters');
  });

  test('through a failover by Sentinel', { timeout: 400_000 }, async () => {
    const sentinel = await startRedisSentinel(await directory(), closers);
    const installation = await install(sentinel.url);
    const { doctor, trail } = await carryThrough(installation, 25, () => sentinel.failOver());
    expect(stagesOf(trail)).toEqual(allQueues);
    expect((await doctor()).stdout).toContain('master mymaster behind Sentinel');
  });

  test('with the permissions that the documentation asks for', { timeout: 400_000 }, async () => {
    const server = await startRedisServer({ directory: await directory() });
    closers.add(() => server.stop());
    const { user, rules } = await minimalAcl('secret');
    await server.client.call('ACL', 'SETUSER', user, ...rules);
    const url = server.url.replace('//', `//${user}:secret@`);
    await carryThrough(await install(url, 'millrace'), 5, () => undefined);
    // Newer servers have CLIENT SETINFO, which only names the library.
    const refused = (await server.client.call('ACL', 'LOG')) as string[][];
    expect(refused.filter((entry) => !entry.includes('client|setinfo'))).toEqual([]);
  });
});
