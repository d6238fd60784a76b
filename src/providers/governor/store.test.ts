import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openMemoryStore } from './memory-store.ts';
import { openRedisStore } from './redis-store.ts';
import type { AdmissionVerdict, Ending, GovernorStore, Limits } from './store.ts';

declare module 'vitest' {
  interface ProvidedContext {
    redisUrl: string;
  }
}

const limits: Limits = { requestsPerMinute: 3, failures: 2, coolDownMs: 10_000 };
const reasonOf = (verdict: AdmissionVerdict | undefined) =>
  verdict?.admitted === false ? verdict.reason : undefined;
const success: Ending = { kind: 'success', probe: false };
const failure: Ending = { kind: 'failure', probe: false };

/** Contract of every store. The test controls the clock. */
function storeSuite(open: (now: () => number) => GovernorStore): void {
  let clock: number;
  let store: GovernorStore;
  const admit = (provider = 'ocr', within: Limits = limits) => store.admit(provider, within);
  const settle = (ending: Ending) => store.settle('ocr', limits, ending);

  beforeEach(() => {
    clock = 1_700_000_000_000;
    store = open(() => clock);
  });

  async function breakIt() {
    for (let i = 0; i < limits.failures; i++) {
      await admit();
      await settle(failure);
    }
  }

  test('a provider nobody knows is free to use', async () => {
    expect(await admit()).toEqual({ admitted: true, probe: false });
  });

  test('no minute has more requests than allowed', async () => {
    for (const at of [0, 20_000, 40_000]) {
      clock = 1_700_000_000_000 + at;
      expect(await admit()).toMatchObject({ admitted: true });
    }
    expect(await admit()).toEqual({ admitted: false, waitMs: 20_000, reason: 'budget' });
    clock += 20_000;
    expect(await admit()).toMatchObject({ admitted: true });
    expect(await admit()).toMatchObject({ admitted: false, waitMs: 20_000 });
  });

  test('many at once get what is left, and no more', async () => {
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => admit()));
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(limits.requestsPerMinute);
  });

  test('one provider does not slow its neighbour', async () => {
    for (let i = 0; i < limits.requestsPerMinute; i++) await admit();
    expect(await admit('llm')).toMatchObject({ admitted: true });
  });

  test('a pause holds for all until it ends, and a shorter one does not end it', async () => {
    await settle({ kind: 'busy', probe: false, pauseMs: 30_000 });
    await settle({ kind: 'busy', probe: false, pauseMs: 1_000 });
    expect(await admit()).toEqual({ admitted: false, waitMs: 30_000, reason: 'paused' });
    clock += 30_000;
    expect(await admit()).toMatchObject({ admitted: true });
  });

  test('failures in a row open the breaker', async () => {
    await settle(failure);
    await settle(success);
    await settle(failure);
    expect(await admit()).toMatchObject({ admitted: true });
    await settle(failure);
    expect(await admit()).toEqual({ admitted: false, waitMs: 10_000, reason: 'broken' });
  });

  test('after the cool-down one call probes, alone', async () => {
    await breakIt();
    clock += limits.coolDownMs;
    expect(await admit()).toEqual({ admitted: true, probe: true });
    expect(await admit()).toMatchObject({ admitted: false, reason: 'broken' });
  });

  test('a probe that succeeds closes the breaker', async () => {
    await breakIt();
    clock += limits.coolDownMs;
    await admit();
    await settle({ kind: 'success', probe: true });
    clock += 60_000;
    expect(await admit()).toEqual({ admitted: true, probe: false });
  });

  test('a probe that fails opens it anew', async () => {
    await breakIt();
    clock += limits.coolDownMs;
    await admit();
    await settle({ kind: 'failure', probe: true });
    expect(await admit()).toEqual({ admitted: false, waitMs: 10_000, reason: 'broken' });
  });

  test('a probe that never comes back is replaced', async () => {
    await breakIt();
    clock += limits.coolDownMs;
    await admit();
    clock += limits.coolDownMs;
    clock += 60_000;
    expect(await admit()).toEqual({ admitted: true, probe: true });
  });

  test('a probe that was interrupted makes room for the next', async () => {
    await breakIt();
    clock += 60_000;
    await admit();
    await settle({ kind: 'void', probe: true });
    expect(await admit()).toEqual({ admitted: true, probe: true });
  });

  test('calls from before the breaker opened neither close it nor hold it open', async () => {
    await breakIt();
    await settle(success);
    clock += 5_000;
    await settle(failure);
    expect(await admit()).toMatchObject({ admitted: false, waitMs: 5_000, reason: 'broken' });
  });
}

describe('in memory', () => storeSuite(openMemoryStore));

const redisUrl = inject('redisUrl') ?? process.env.MILLRACE_TEST_REDIS_URL;

describe.skipIf(!redisUrl)('in Redis', () => {
  let redis: Redis;
  let count = 0;
  const freshPrefix = () => `test-${process.pid}-${count++}`;
  beforeAll(async () => {
    redis = new Redis(redisUrl ?? '');
    await redis.ping();
  });
  afterAll(() => redis.quit());

  storeSuite((now) => openRedisStore(redis, { prefix: freshPrefix(), now }));

  test('workers share one budget by the clock of Redis', async () => {
    const prefix = freshPrefix();
    const workers = [openRedisStore(redis, { prefix }), openRedisStore(redis, { prefix })];
    const verdicts = await Promise.all(
      workers.flatMap((store) => [1, 2, 3].map(() => store.admit('ocr', limits))),
    );
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(limits.requestsPerMinute);
  });

  describe('that lost its data', () => {
    const lose = (prefix: string) =>
      redis.del(`{${prefix}:governor:ocr}:state`, `{${prefix}:governor:ocr}:calls`);

    test.each<[string, Ending, number]>([
      ['a pause', { kind: 'busy', probe: false, pauseMs: 60_000 }, 1],
      ['a breaker', failure, 2],
      ['a budget', success, 3],
    ])('is told of %s by whoever knows', async (_, ending, times) => {
      const prefix = freshPrefix();
      const [one, other, another] = Array.from({ length: 3 }, () =>
        openRedisStore(redis, { prefix }),
      );
      for (let i = 0; i < times; i++) {
        await one?.admit('ocr', limits);
        await one?.settle('ocr', limits, ending);
      }
      const before = await one?.admit('ocr', limits);
      expect(before).toMatchObject({ admitted: false });
      await lose(prefix);
      await other?.settle('ocr', limits, { kind: 'void', probe: false });
      await one?.settle('ocr', limits, { kind: 'void', probe: false });
      expect(await another?.admit('ocr', limits)).toMatchObject({
        admitted: false,
        reason: reasonOf(before),
      });
    });

    test('is told of the calls of all, each once', async () => {
      const prefix = freshPrefix();
      const [one, other] = [openRedisStore(redis, { prefix }), openRedisStore(redis, { prefix })];
      for (const store of [one, other, one]) await store.admit('ocr', limits);
      await lose(prefix);
      await other.settle('ocr', limits, success);
      await Promise.all([one.settle('ocr', limits, success), one.settle('ocr', limits, success)]);
      expect(await redis.zcard(`{${prefix}:governor:ocr}:calls`)).toBe(3);
    });

    test('knows nothing where nobody does: the breaker is closed, the budget full', async () => {
      const prefix = freshPrefix();
      await openRedisStore(redis, { prefix }).settle('ocr', limits, {
        kind: 'busy',
        probe: false,
        pauseMs: 60_000,
      });
      await lose(prefix);
      expect(await openRedisStore(redis, { prefix }).admit('ocr', limits)).toEqual({
        admitted: true,
        probe: false,
      });
    });
  });
});
