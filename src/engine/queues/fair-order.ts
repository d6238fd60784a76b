import { z } from 'zod';
import type { RedisClient } from '../../lib/redis-client.ts';

/** The largest priority that BullMQ accepts. */
const lastRound = 2 ** 21 - 1;

/**
 * Keys: the next round of each workspace, and BullMQ's set of prioritized jobs, whose scores are
 * priority * 2^32 + a counter. Arguments: the workspaces of the new jobs, in order. Returns the
 * round of each. An empty queue starts over, so that rounds stay small.
 */
const script = `
local head = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
if not head[2] then redis.call('DEL', KEYS[1]) end
local current = head[2] and math.floor(tonumber(head[2]) / 4294967296) or 1
local rounds = {}
for i, workspace in ipairs(ARGV) do
  local own = tonumber(redis.call('HGET', KEYS[1], workspace) or 0)
  rounds[i] = math.min(math.max(own, current), ${lastRound})
  redis.call('HSET', KEYS[1], workspace, rounds[i] + 1)
end
redis.call('PEXPIRE', KEYS[1], 86400000)
return rounds`;

/**
 * Orders a queue by rounds in which each workspace has one job (start-time fair queueing). A
 * workspace that arrives joins the current round, so it waits for one job of each other workspace
 * and not for all that they queued before. None starves: rounds only increase.
 */
export async function assignRounds(
  redis: RedisClient,
  queueKey: string,
  workspaceIds: readonly string[],
): Promise<number[]> {
  const keys = [`${queueKey}:rounds`, `${queueKey}:prioritized`];
  return rounds.parse(await redis.eval(script, keys.length, ...keys, ...workspaceIds));
}

const rounds = z.array(z.int().positive());
