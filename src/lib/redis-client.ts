import type { Cluster, Redis } from 'ioredis';

/** A connection to one server (directly or through Sentinel), or to all nodes of a cluster. */
export type RedisClient = Redis | Cluster;

export function isCluster(client: RedisClient): client is Cluster {
  return client.isCluster;
}

/** The servers that hold data. Commands without a key must be sent to each of them. */
export function masters(client: RedisClient): Redis[] {
  return isCluster(client) ? client.nodes('master') : [client];
}
