import { Redis } from 'ioredis';
import { expect, test, vi } from 'vitest';
import { openMemoryStore } from './memory-store.ts';
import { openRedisStore } from './redis-store.ts';
import { withStandby } from './standby.ts';
import type { GovernorStore, Limits } from './store.ts';

const limits: Limits = { requestsPerMinute: 2, failures: 2, coolDownMs: 1_000 };

test('without Redis a process keeps the limits on its own, and says so once', async () => {
  const redis = new Redis({ lazyConnect: true });
  const log = { warn: vi.fn(), info: vi.fn() };
  const store = withStandby(openRedisStore(redis), openMemoryStore(), log);
  const verdicts = [
    await store.admit('ocr', limits),
    await store.admit('ocr', limits),
    await store.admit('ocr', limits),
  ];
  expect(verdicts.map(({ admitted }) => admitted)).toEqual([true, true, false]);
  await store.settle('ocr', limits, { kind: 'success', probe: false });
  expect(log.warn).toHaveBeenCalledTimes(1);
  redis.disconnect();
});

test('the shared store is used again when it is back', async () => {
  const shared = openMemoryStore();
  let down = true;
  const flaky: GovernorStore = {
    admit: (...args) => (down ? Promise.reject(new Error('down')) : shared.admit(...args)),
    settle: (...args) => shared.settle(...args),
  };
  const log = { warn: vi.fn(), info: vi.fn() };
  const store = withStandby(flaky, openMemoryStore(), log);
  await store.admit('ocr', limits);
  down = false;
  await store.admit('ocr', limits);
  expect(await shared.admit('ocr', { ...limits, requestsPerMinute: 1 })).toMatchObject({
    reason: 'budget',
  });
  expect(log.info).toHaveBeenCalledTimes(1);
});
