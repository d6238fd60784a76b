import { z } from 'zod';
import type { RedisClient } from '../../lib/redis-client.ts';

/** The largest priority that BullMQ accepts. */
const lastRound = 2 ** 21 - 1;

/**
 * Keys: the next round of each workspace, and BullMQ's set of prioritized jobs, whose scores are
 * priority * 2^32 + a counter. Arguments: a workspace and the number of its new jobs, and so on.
 * Returns the round of each workspace's first job. An empty queue starts over, so that rounds
 * stay small.
 */
const script = `
local head = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
if not head[2] then redis.call('DEL', KEYS[1]) end
local current = head[2] and math.floor(tonumber(head[2]) / 4294967296) or 1
local firsts = {}
for i = 1, #ARGV, 2 do
  local own = tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or 0)
  local first = math.max(own, current)
  redis.call('HSET', KEYS[1], ARGV[i], first + ARGV[i + 1])
  table.insert(firsts, first)
end
redis.call('PEXPIRE', KEYS[1], 86400000)
return firsts`;

/**
 * Orders a queue by rounds in which each workspace has one job (start-time fair queueing). A
 * workspace that arrives joins the current round, so it waits for one job of each other workspace
 * and not for all that they queued before. None starves: rounds only increase. Returns the round
 * of each new job, given their workspaces.
 */
export async function assignRounds(
  redis: RedisClient,
  queueKey: string,
  workspaceIds: readonly string[],
): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const id of workspaceIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  const keys = [`${queueKey}:rounds`, `${queueKey}:prioritized`];
  const reply = await redis.eval(script, keys.length, ...keys, ...[...counts].flat());
  const firsts = rounds.parse(reply);
  const next = new Map([...counts.keys()].map((id, i) => [id, firsts[i] ?? 1]));
  return workspaceIds.map((id) => {
    const round = next.get(id) ?? 1;
    next.set(id, round + 1);
    return Math.min(round, lastRound);
  });
}

const rounds = z.array(z.int().positive());
