import { readFile } from 'node:fs/promises';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress, RedisNode } from '../../config/redis-url.ts';
import { SetupError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { RedisClient } from '../../lib/redis-client.ts';
import { SECOND } from '../../lib/time.ts';

/** Without an option that chooses between types of replies. */
type Options = Omit<RedisOptions, 'replyMapping'>;

export interface Endpoint {
  address: RedisAddress;
  /** Certificates of authorities, in PEM. */
  ca: string | undefined;
  prefix: string;
}

/**
 * BullMQ's blocking commands take up to ten seconds, so a longer silence means a dead connection.
 */
const socketTimeout = 20 * SECOND;

/** A failover takes seconds. A worker waits for it, a producer does not. */
const redirections = { producer: 16, worker: 6000 };

const purposes = {
  producer: { connectionName: 'millrace', maxRetriesPerRequest: 1, lazyConnect: false },
  worker: { connectionName: 'millrace-worker', maxRetriesPerRequest: null, lazyConnect: true },
};

export function openClient(endpoint: Endpoint, purpose: 'producer' | 'worker'): RedisClient {
  const { address } = endpoint;
  const enableOfflineQueue = purpose === 'worker';
  const { lazyConnect, ...own } = purposes[purpose];
  if (address.kind !== 'cluster') {
    const options = { ...own, lazyConnect, enableOfflineQueue, reconnectOnError };
    return address.kind === 'single'
      ? connectTo(address.nodes[0], endpoint, options)
      : new Redis({ ...sentinelOptions(endpoint), ...options });
  }
  return new Cluster(address.nodes, {
    redisOptions: { ...serverOptions(endpoint), ...own, maxRetriesPerRequest: null },
    lazyConnect,
    enableOfflineQueue,
    maxRedirections: redirections[purpose],
    slotsRefreshTimeout: 2 * SECOND,
    // With TLS a node must be called by the name in its certificate, not by its address.
    ...(address.tls && { dnsLookup: (host, found) => found(null, host) }),
  });
}

/** A connection to this one server, whatever it belongs to. */
export function connectTo(node: RedisNode, endpoint: Endpoint, more: Options = {}): Redis {
  const { address } = endpoint;
  const db = address.kind === 'single' ? address.db : 0;
  return new Redis({ ...serverOptions(endpoint), ...node, db, ...more });
}

/** A connection to a Sentinel, which has logins of its own. */
export function connectToSentinel(node: RedisNode, endpoint: Endpoint): Redis {
  const { sentinelUsername, sentinelPassword } = sentinelOptions(endpoint);
  return connectTo(node, endpoint, {
    username: sentinelUsername,
    password: sentinelPassword,
    connectionName: 'millrace',
  });
}

export async function readAuthorities(path: string | undefined): Promise<string | undefined> {
  if (!path) return undefined;
  return readFile(path, 'utf8').catch((error: unknown) => {
    const hint = 'Set REDIS_CA_FILE to a PEM file with certificates.';
    throw new SetupError(`${path} cannot be read: ${describeError(error)}`, hint);
  });
}

function serverOptions({ address, ca }: Endpoint): Options {
  const { username, password, family, tls } = address;
  return {
    ...(username && { username }),
    ...(password && { password }),
    ...(family && { family }),
    ...(tls && { tls: ca ? { ca } : {} }),
    socketTimeout,
  };
}

function sentinelOptions(endpoint: Endpoint): Options {
  const { address } = endpoint;
  if (address.kind !== 'sentinel') return {};
  const { nodes, master, db, sentinelUsername, sentinelPassword } = address;
  const { tls, ...options } = serverOptions(endpoint);
  return {
    ...options,
    sentinels: nodes,
    name: master,
    db,
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

/** After a failover the old master is a replica: the connection must be made again. */
function reconnectOnError({ message }: Error): boolean {
  return message.startsWith('READONLY');
}
