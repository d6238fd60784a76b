import { Redis } from 'ioredis';
import { afterAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { uniquePrefix } from '../../test/kit/redis.ts';
import { NotFoundError, StorageUnavailableError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';
import { openCircuit } from './circuit.ts';
import { openMemoryStore } from './governor/memory-store.ts';
import { openRedisStore } from './governor/redis-store.ts';
import type { GovernorStore, Limits } from './governor/store.ts';

const limits: Limits = { requestsPerMinute: 1e9, failures: 3, coolDownMs: 300 };
const redis = new Redis(inject('redisUrl'));
afterAll(() => redis.disconnect());

const shared = () => {
  const prefix = uniquePrefix();
  return () => openRedisStore(redis, { prefix });
};
const local = () => {
  const store = openMemoryStore();
  return () => store;
};

describe.each([
  ['memory', local],
  ['Redis', shared],
])('a circuit in %s', (_, openStores) => {
  let openStore: () => GovernorStore;
  const onFailure = vi.fn();
  const open = () => openCircuit({ name: 'storage', limits, store: openStore(), onFailure });
  const away = vi.fn(async () => {
    throw new StorageUnavailableError('away', 1000);
  });
  const there = vi.fn(async () => 'there');
  beforeEach(() => {
    openStore = openStores();
    for (const mock of [onFailure, away, there]) mock.mockClear();
  });
  const breakIt = async (circuit: ReturnType<typeof open>) => {
    for (let i = 0; i < limits.failures; i++)
      await expect(circuit.run(away)).rejects.toThrow('away');
  };

  test('opens for all processes after repeated failures, and closes for all after one success', async () => {
    const [one, other] = [open(), open()];
    await breakIt(one);
    expect(onFailure).toHaveBeenCalledTimes(limits.failures);
    for (const circuit of [one, other]) {
      await expect(circuit.run(there)).rejects.toThrow(StorageUnavailableError);
      await expect(circuit.assertClosed()).rejects.toThrow(StorageUnavailableError);
    }
    expect(there).not.toHaveBeenCalled();
    for (const circuit of [one, other])
      await vi.waitFor(() => circuit.run(there), { timeout: 20 * SECOND, interval: 50 });
    await one.assertClosed();
  });

  test('lets one call through to try whether storage is back', async () => {
    const circuit = open();
    await breakIt(circuit);
    away.mockClear();
    await vi.waitFor(
      async () => {
        await Promise.allSettled(Array.from({ length: 20 }, () => circuit.run(away)));
        expect(away).toHaveBeenCalledTimes(1);
      },
      { timeout: 20 * SECOND, interval: 50 },
    );
  });

  test('counts only failures in a row, and a missing object is none', async () => {
    const circuit = open();
    const missing = async () => {
      throw new NotFoundError('missing');
    };
    for (let i = 0; i < limits.failures; i++) {
      await expect(circuit.run(away)).rejects.toThrow('away');
      await expect(circuit.run(missing)).rejects.toThrow('missing');
    }
    expect(await circuit.run(there)).toBe('there');
  });

  test('also counts downloads that broke off', async () => {
    const circuit = open();
    for (let i = 0; i < limits.failures; i++) circuit.failed();
    await vi.waitFor(
      () => expect(circuit.run(there)).rejects.toThrow('The circuit breaker for storage is open'),
      { interval: 20 },
    );
  });

  test('asks once for many calls while all is well', async () => {
    const store = openStore();
    const admit = vi.spyOn(store, 'admit');
    const settle = vi.spyOn(store, 'settle');
    const circuit = openCircuit({ name: 'storage', limits, store, onFailure });
    for (let i = 0; i < 100; i++) await circuit.run(there);
    expect(admit.mock.calls.length).toBeLessThan(10);
    expect(settle).not.toHaveBeenCalled();
  });
});
