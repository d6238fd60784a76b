import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { entryPoint } from '../lib/entry-point.ts';
import { newId } from '../lib/ids.ts';
import { startRedis } from '../servers/embedded/redis.ts';
import type { OpenAiFault } from '../simulators/openai/fault.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../simulators/openai/index.ts';
import { patience } from './retry-after.ts';

/** Two processes with a real vendor client, and their own Redis, which may lose its data. */
const kit = new URL('../../test/kit/limits.test.ts', import.meta.url).href;
const answer = z.object({
  outcome: z.enum(['answered', 'busy', 'failed']),
  waitMs: z.number().default(0),
  message: z.string().default(''),
});
let directory: string;
let server: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;
let processes: ChildProcess[];
let fault: (() => OpenAiFault) | undefined;
let vendor: OpenAiSimulator;
let prefix: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-limits-'));
  server = await startRedis({ directory, engine: 'auto' });
  redis = new Redis(server.adminUrl);
  const { path, execArgv } = entryPoint(kit, 'governed-caller');
  processes = [fork(path, { execArgv }), fork(path, { execArgv })];
}, 60_000);
afterAll(async () => {
  for (const child of processes) child.kill();
  redis.disconnect();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  fault = undefined;
  vendor = await startOpenAiSimulator({ faults: () => fault?.() });
  prefix = newId();
  return vendor.close;
});

/** Lets one of the processes call the vendor. */
async function ask(who: 0 | 1, requestsPerMinute = 100) {
  const child = processes[who];
  if (!child) throw new Error('No such process');
  child.send({ redisUrl: server.url, baseUrl: vendor.baseUrl, prefix, requestsPerMinute });
  const [message] = await once(child, 'message');
  return answer.parse(message);
}
const outcomes = async (...who: (0 | 1)[]) => {
  const seen: string[] = [];
  for (const each of who) seen.push((await ask(each, 3)).outcome);
  return seen;
};

describe('two processes', { timeout: 60_000 }, () => {
  test('share one budget, and tell it to a Redis that lost everything', async () => {
    expect(await outcomes(0, 1, 0, 0, 1)).toEqual([
      'answered',
      'answered',
      'answered',
      'busy',
      'busy',
    ]);
    await redis.flushall();
    // The first process restores its own two calls; the other one adds its call.
    expect(await outcomes(0, 1, 0, 1)).toEqual(['answered', 'busy', 'busy', 'busy']);
    expect(vendor.tally.total).toBe(4);
  });

  test('share one breaker, also after Redis lost everything', async () => {
    fault = () => ({ kind: 'status', status: 500 });
    for (const who of [0, 1, 0, 1, 0] as const)
      expect(await ask(who)).toMatchObject({ outcome: 'failed' });
    for (const who of [0, 1] as const) {
      expect(await ask(who)).toMatchObject({
        outcome: 'busy',
        message: expect.stringContaining('circuit breaker for'),
      });
    }
    await redis.flushall();
    for (const who of [1, 0] as const) expect(await ask(who)).toMatchObject({ outcome: 'busy' });
    expect(vendor.tally.total).toBe(5);
  });

  test.each<[string, () => Record<string, string>, number]>([
    ['seconds', () => ({ 'retry-after': '20' }), 20_000],
    ['a date', () => ({ 'retry-after': new Date(Date.now() + 20_000).toUTCString() }), 20_000],
    ['milliseconds', () => ({ 'retry-after-ms': '20500' }), 20_500],
    ['nothing', () => ({}), patience.unaskedMs],
  ])('both leave a vendor alone for as long as it asks for: %s', async (_, headers, waitMs) => {
    fault = () => ({ kind: 'status', status: 429, headers: headers() });
    const asked = await ask(0);
    expect(asked.outcome).toBe('busy');
    // A date has no fractions of a second.
    expect(Math.abs(asked.waitMs - waitMs)).toBeLessThanOrEqual(1_000);
    for (const who of [1, 0] as const) {
      const result = await ask(who);
      expect(result).toMatchObject({
        outcome: 'busy',
        message: expect.stringContaining('asked to pause requests'),
      });
      // Jitter spreads retries over ten seconds; one more second for slow machines.
      expect(result.waitMs).toBeLessThanOrEqual(waitMs + 11_000);
      expect(result.waitMs).toBeGreaterThan(1_000);
    }
    expect(vendor.tally.total).toBe(1);
  });
});
