import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { uniquePrefix } from '../../../test/kit/redis.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import { Progress } from './progress.ts';
import { openQueues, type Queues } from './queues.ts';

let redis: Redis;
let queues: Queues;
let clock = 0;
beforeAll(() => {
  redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null });
  queues = openQueues(['claim', 'extract'], {
    redis,
    prefix: uniquePrefix(),
    log: pino({ level: 'silent' }),
  });
});
afterAll(async () => {
  await queues.close();
  redis.disconnect();
});

const hint = { taskId: '00000000-0000-7000-8000-000000000000', epoch: 0, stage: 'claim' };
const queue = () => {
  const found = queues.byStage.get('claim');
  if (!found) throw new Error('There is no queue');
  return found;
};

test('a worker stands still when there is work and it takes none', async () => {
  const progress = new Progress(['claim', 'extract'], () => clock);
  clock += HOUR;
  expect(await progress.stallReason(queues)).toBeUndefined();

  await queues.announce([hint]);
  expect(await progress.stallReason(queues)).toBe(
    'Stalled: jobs are waiting in claim, but none is taken',
  );

  await queue().pause();
  expect(await progress.stallReason(queues)).toBeUndefined();
  await queue().resume();

  await progress.during('claim', async () => {
    clock += HOUR;
    expect(await progress.stallReason(queues)).toBeUndefined();
  });
  clock += MINUTE;
  expect(await progress.stallReason(queues)).toBeUndefined();
  clock += HOUR;
  expect(await progress.stallReason(queues)).toBeDefined();
});

test('a queue that is limited in its rate is no standstill', async () => {
  const progress = new Progress(['claim'], () => clock);
  clock += HOUR;
  await queue().rateLimit(HOUR);
  expect(await progress.stallReason(queues)).toBeUndefined();
});

test('a Redis that is away proves nothing', async () => {
  const away = new Redis({ port: 1, maxRetriesPerRequest: 1, enableOfflineQueue: false });
  away.on('error', () => undefined);
  const unreachable = openQueues(['claim'], {
    redis: away,
    prefix: 'away',
    log: pino({ level: 'silent' }),
  });
  const progress = new Progress(['claim'], () => clock);
  clock += HOUR;
  expect(await progress.stallReason(unreachable)).toBeUndefined();
  await unreachable.close();
  away.disconnect();
});
