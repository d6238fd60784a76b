import { Redis } from 'ioredis';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { uniquePrefix } from '../../test/kit/redis.ts';
import { HOUR, MINUTE, SECOND } from '../lib/time.ts';
import { openAttempts, ownAttempts } from './attempts.ts';
import { maskAddress } from './mask-address.ts';

const limits = { most: 2, windowMs: 1 * MINUTE };

describe('in one process', () => {
  test('after a few attempts one waits until the window ends', async () => {
    let clock = 1000;
    const attempts = ownAttempts(limits, () => clock);
    expect([await attempts.begin('a'), await attempts.begin('a')]).toEqual([0, 0]);
    clock += 10 * SECOND;
    expect(await attempts.begin('a')).toBe(50);
    expect(await attempts.begin('b')).toBe(0);
    clock += MINUTE;
    expect(await attempts.begin('a')).toBe(0);
  });

  test('success wipes the slate', async () => {
    const attempts = ownAttempts(limits);
    await attempts.begin('a');
    await attempts.begin('a');
    await attempts.succeed('a');
    expect(await attempts.begin('a')).toBe(0);
  });

  test('memory is bounded: the oldest address is forgotten first', async () => {
    const attempts = ownAttempts({ most: 1, windowMs: HOUR });
    for (let i = 0; i <= 10_000; i += 1) await attempts.begin(`address ${i}`);
    expect(await attempts.begin('address 0')).toBe(0);
    expect(await attempts.begin('address 10000')).toBeGreaterThan(0);
  });
});

describe('in several processes', () => {
  const redis = new Redis(inject('redisUrl'));
  afterAll(() => redis.disconnect());

  test('attempts are counted together, also those at the same time', async () => {
    const prefix = uniquePrefix();
    const [here, there] = [
      openAttempts(redis, prefix, limits),
      openAttempts(redis, prefix, limits),
    ];
    const waits = await Promise.all([
      here.begin('a'),
      there.begin('a'),
      here.begin('a'),
      there.begin('a'),
    ]);
    expect(waits.filter((wait) => wait === 0)).toHaveLength(2);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60);
    expect(JSON.stringify(await redis.keys(`${prefix.replace(/[{}[\]*?]/g, '?')}*`))).not.toContain(
      ':a',
    );
    const other = openAttempts(redis, uniquePrefix(), limits);
    expect(await other.begin('a')).toBe(0);
    await other.succeed('a');
    expect(await other.begin('a')).toBe(0);
  });

  test('each counts for itself while Redis is away', async () => {
    const away = new Redis({
      port: 1,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      retryStrategy: () => null,
    });
    away.on('error', () => undefined);
    const attempts = openAttempts(away, 'prefix', limits);
    expect([await attempts.begin('a'), await attempts.begin('a')]).toEqual([0, 0]);
    expect(await attempts.begin('a')).toBeGreaterThan(0);
    await attempts.succeed('a');
    expect(await attempts.begin('a')).toBe(0);
    away.disconnect();
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s stands for %s', (address, network) => {
  expect(maskAddress(address)).toBe(network);
});
