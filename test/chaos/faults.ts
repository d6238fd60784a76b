import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/lib/ids.ts';
import type { Rig } from './rig.ts';

export type Random = () => number;
type Fault = (rig: Rig, random: Random) => Promise<unknown>;

/** Everything that is done to the system while it works. A fault may fail itself: what it hits may be down already. */
export const faults = {
  'worker killed': async ({ fleet }, random) => fleet.pick('worker', random)?.kill('SIGKILL'),
  'worker stopped past its lease': async ({ fleet }, random) => {
    const worker = fleet.pick('worker', random);
    worker?.kill('SIGSTOP');
    await sleep(5000);
    worker?.kill('SIGCONT');
  },
  'scheduler killed': async ({ fleet }, random) => fleet.pick('scheduler', random)?.kill('SIGKILL'),
  'Redis flushed': async ({ redis }) => redis.flushall(),
  'Redis restarted': async ({ restartRedis }) => restartRedis(),
  'Redis connections cut': async ({ proxies }) => proxies.redis.cut(),
  'Redis half open': async ({ proxies }) => {
    proxies.redis.swallow(true);
    await sleep(2000);
    proxies.redis.swallow(false);
  },
  'Postgres restarted': async ({ restartPostgres }) => restartPostgres(),
  'Postgres connections cut': async ({ proxies }) => proxies.postgres.cut(),
  'hints doubled': async ({ queues, resources }) => {
    const { rows } = await resources.database.pool.query<{ id: string; epoch: number; stage: string }>(
      'select id, epoch, stage from tasks order by random() limit 50',
    );
    for (const { id, epoch, stage } of rows) {
      await queues.byStage.get(stage)?.add(stage, { taskId: id, epoch }, { jobId: newId() });
    }
  },
  'hints forged': async ({ queues }) => {
    for (const queue of queues.byStage.values()) {
      for (const data of [null, 'text', { taskId: 'x' }, { taskId: newId(), epoch: 3 }])
        await queue.add('claim', data as never);
    }
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
