import type { Closers } from '../../src/lib/closers.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { untilTrue } from './until-true.ts';

export interface RedisClusterOptions {
  directory: string;
  /** One per master, which takes over when its master dies. */
  replicas?: boolean;
  settings?: Record<string, string>;
}

const slots = 16_384;
const count = 3;

/** A Redis Cluster of three masters, with short timeouts. */
export async function startRedisCluster(options: RedisClusterOptions, closers: Closers) {
  const { replicas = false } = options;
  const masters = await startNodes(options, closers);
  const [first] = masters;
  if (!first) throw new Error('The cluster has no nodes');
  for (const [i, { client }] of masters.entries()) {
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    const [from, to] = [i, i + 1].map((part) => Math.floor((part * slots) / count));
    await client.call('CLUSTER', 'ADDSLOTSRANGE', from ?? 0, (to ?? 0) - 1);
  }
  const others = replicas ? await startNodes(options, closers) : [];
  for (const node of [...masters, ...others]) await meet(first, node);
  const all = [...masters, ...others];
  await untilTrue('the cluster is up', async () =>
    (await states(all)).every((state) => state.includes('state:ok')),
  );
  for (const [i, { client }] of others.entries()) {
    const master = masters[i]?.client;
    const id = String(await master?.call('CLUSTER', 'MYID'));
    await untilTrue('nodes know each other', async () =>
      String(await client.call('CLUSTER', 'NODES')).includes(id),
    );
    await client.call('CLUSTER', 'REPLICATE', id);
    await untilTrue('a replica is in step', async () =>
      (await client.info('replication')).includes('link_status:up'),
    );
  }
  return {
    masters,
    replicas: others,
    url: `redis://${masters.map(({ host, port }) => `${host}:${port}`).join(',')}`,
    /** Kills a master. Resolves when its replica has taken over. */
    async failOver(index: number): Promise<void> {
      await masters[index]?.kill();
      const replica = others[index]?.client;
      if (replica)
        await untilTrue('a replica takes over', async () =>
          (await replica.info('replication')).includes('role:master'),
        );
    },
  };
}

type Node = RedisServer & { bus: number };

async function startNodes(
  { directory, settings }: RedisClusterOptions,
  closers: Closers,
): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let i = 0; i < count; i++) {
    const bus = await freePort();
    const server = await startRedisServer({
      directory,
      settings: {
        'cluster-enabled': 'yes',
        'cluster-port': String(bus),
        'cluster-node-timeout': '1500',
        'cluster-replica-validity-factor': '0',
        ...settings,
      },
    });
    closers.add(() => server.stop());
    nodes.push({ ...server, bus });
  }
  return nodes;
}

async function meet(first: Node, node: Node): Promise<void> {
  if (node === first) return;
  await first.client.call('CLUSTER', 'MEET', node.host, node.port, node.bus);
}

function states(nodes: readonly Node[]): Promise<string[]> {
  return Promise.all(nodes.map(async ({ client }) => String(await client.call('CLUSTER', 'INFO'))));
}
