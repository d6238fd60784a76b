import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closers } from '../../src/lib/closers.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { untilTrue } from './until-true.ts';

const master = 'mymaster';
const quorum = 2;

/** A master, a replica and three Sentinels that fail over within seconds. */
export async function startRedisSentinel(directory: string, closers: Closers) {
  const first = await startRedisServer({ directory });
  closers.add(() => first.stop());
  const second = await startRedisServer({
    directory,
    settings: { replicaof: `${first.host} ${first.port}` },
  });
  closers.add(() => second.stop());
  await untilTrue('the replica is in step', async () =>
    (await second.client.info('replication')).includes('link_status:up'),
  );
  const sentinels: RedisServer[] = [];
  for (let i = 0; i < 3; i++) {
    const sentinel = await startSentinel(directory, first);
    closers.add(() => sentinel.stop());
    sentinels.push(sentinel);
  }
  await untilTrue('the Sentinels know each other', async () => {
    const known = await Promise.all(sentinels.map(({ client }) => knows(client)));
    return known.every(Boolean);
  });
  const [watcher] = sentinels;
  /** The port of the master. */
  const current = async (): Promise<number> => {
    const answer = await watcher?.client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master);
    return Number(Array.isArray(answer) ? answer[1] : 0);
  };
  return {
    master,
    servers: [first, second] as const,
    sentinels,
    current,
    url: `redis+sentinel://${sentinels.map(({ host, port }) => `${host}:${port}`).join(',')}/${master}`,
    /** Kills the master. Resolves when the replica has been promoted. */
    async failOver(): Promise<void> {
      const port = await current();
      await [first, second].find((server) => server.port === port)?.kill();
      await untilTrue('the replica is promoted', async () => (await current()) !== port);
    },
  };
}

async function startSentinel(directory: string, { host, port }: RedisServer): Promise<RedisServer> {
  const own = await freePort();
  const file = join(directory, `sentinel-${own}.conf`);
  const settings = [
    `sentinel monitor ${master} ${host} ${port} ${quorum}`,
    `sentinel down-after-milliseconds ${master} 1500`,
    `sentinel failover-timeout ${master} 5000`,
  ];
  await writeFile(file, `${settings.join('\n')}\n`);
  return startRedisServer({ directory, sentinel: file, port: own });
}

/** Whether a Sentinel has found the replica and both of its colleagues. */
async function knows(sentinel: RedisServer['client']): Promise<boolean> {
  const about = (await sentinel.call('SENTINEL', 'MASTER', master)) as string[];
  const field = (name: string) => about[about.indexOf(name) + 1];
  return field('num-slaves') === '1' && field('num-other-sentinels') === '2';
}
