import { Redis } from 'ioredis';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { uniquePrefix } from '../../test/kit/redis.ts';
import { HOUR, MINUTE, SECOND } from '../lib/time.ts';
import { maskAddress } from './mask-address.ts';
import { openWindowCounter, ownWindowCounter } from './window-counter.ts';

const most = 2;

describe('in one process', () => {
  test('after a few attempts one waits until the window ends', async () => {
    let clock = 1000;
    const counter = ownWindowCounter(MINUTE, () => clock);
    expect([await counter.count('a', most), await counter.count('a', most)]).toEqual([0, 0]);
    clock += 10 * SECOND;
    expect(await counter.count('a', most)).toBe(50);
    expect(await counter.count('b', most)).toBe(0);
    clock += MINUTE;
    expect(await counter.count('a', most)).toBe(0);
  });

  test('success wipes the slate', async () => {
    const counter = ownWindowCounter();
    await counter.count('a', most);
    await counter.count('a', most);
    await counter.reset('a');
    expect(await counter.count('a', most)).toBe(0);
  });

  test('memory is bounded: the oldest address is forgotten first', async () => {
    const counter = ownWindowCounter(HOUR);
    for (let i = 0; i <= 10_000; i += 1) await counter.count(`address ${i}`, 1);
    expect(await counter.count('address 0', 1)).toBe(0);
    expect(await counter.count('address 10000', 1)).toBeGreaterThan(0);
  });
});

describe('in several processes', () => {
  const redis = new Redis(inject('redisUrl'));
  afterAll(() => redis.disconnect());

  test('attempts are counted together, also those at the same time', async () => {
    const prefix = uniquePrefix();
    const [here, there] = [openWindowCounter(redis, prefix), openWindowCounter(redis, prefix)];
    const waits = await Promise.all([
      here.count('a', most),
      there.count('a', most),
      here.count('a', most),
      there.count('a', most),
    ]);
    expect(waits.filter((wait) => wait === 0)).toHaveLength(2);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60);
    expect(JSON.stringify(await redis.keys(`${prefix.replace(/[{}[\]*?]/g, '?')}*`))).not.toContain(
      ':a',
    );
    const other = openWindowCounter(redis, uniquePrefix());
    expect(await other.count('a', most)).toBe(0);
    await other.reset('a');
    expect(await other.count('a', most)).toBe(0);
  });

  test('each counts for itself while Redis is away', async () => {
    const away = new Redis({
      port: 1,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      retryStrategy: () => null,
    });
    away.on('error', () => undefined);
    const counter = openWindowCounter(away, 'prefix');
    expect([await counter.count('a', most), await counter.count('a', most)]).toEqual([0, 0]);
    expect(await counter.count('a', most)).toBeGreaterThan(0);
    await counter.reset('a');
    expect(await counter.count('a', most)).toBe(0);
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
