import type { Redis } from 'ioredis';
import type { RedisNode } from '../../config/redis-url.ts';

/**
 * Connects to all nodes at once until one passes: a node that is away must not delay the start.
 * Throws the problem of the first in the list if none does.
 */
export async function examineAnyOf(
  nodes: readonly RedisNode[],
  connect: (node: RedisNode) => Redis,
  examine: (server: Redis, node: RedisNode) => Promise<void>,
): Promise<void> {
  const servers = nodes.map((node) => ({ node, server: connect(node) }));
  try {
    await Promise.any(servers.map(({ node, server }) => examine(server, node)));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    for (const { server } of servers) server.disconnect();
  }
}
