import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/lib/ids.ts';
import { SECOND } from '../../src/lib/time.ts';
import { addMalformed } from '../kit/malformed.ts';
import type { Random } from './random.ts';
import type { Rig } from './rig.ts';

export type Fault = (rig: Rig, random: Random) => Promise<unknown>;

async function stopped(rig: Rig, role: string, ms: number, random: Random): Promise<void> {
  const process = rig.fleet.pick(role, random);
  process?.kill('SIGSTOP');
  await sleep(ms);
  process?.kill('SIGCONT');
}

async function away(
  { stop, start }: { stop(): Promise<void>; start(): Promise<void> },
  ms: number,
): Promise<void> {
  await stop();
  await sleep(ms);
  await start();
}

/** The faults. Injecting one may itself fail, because its target may already be down. */
export const faults = {
  'worker killed': async ({ fleet }, random) => fleet.pick('worker', random)?.kill('SIGKILL'),
  'all workers killed at once': async ({ fleet }) => {
    for (const worker of fleet.all('worker')) worker.kill('SIGKILL');
  },
  'worker stopped past its lease': (rig, random) => stopped(rig, 'worker', 5 * SECOND, random),
  'scheduler killed': async ({ fleet }, random) => fleet.pick('scheduler', random)?.kill('SIGKILL'),
  'scheduler stopped': (rig, random) => stopped(rig, 'scheduler', 8 * SECOND, random),
  'Redis flushed': async ({ client }) => client.flushall(),
  'Redis killed, its log kept': async ({ redis }) => redis.crash({ forgetful: false }),
  'Redis killed, nothing kept': async ({ redis }) => redis.crash({ forgetful: true }),
  'Redis away for 10 s': ({ redis }) => away(redis, 10 * SECOND),
  'Redis full for 10 s': async ({ client }) => {
    await client.config('SET', 'maxmemory', '1');
    await sleep(10 * SECOND);
    await client.config('SET', 'maxmemory', '0');
  },
  'Redis replaced by a copy 3 s old': ({ redis }) => redis.failOver({ lagMs: 3 * SECOND }),
  'Redis connections cut': async ({ redis }) => redis.proxy.cut(),
  'Redis connections dead, nobody told': async ({ redis }) => redis.proxy.freeze(),
  'Postgres restarted': ({ postgres }) => away(postgres, 0),
  'Postgres crashed': ({ postgres }) => postgres.crash(),
  'Postgres connections cut': async ({ postgres }) => postgres.proxy.cut(),
  'Postgres connections dead, nobody told': async ({ postgres }) => postgres.proxy.freeze(),
  'slow lines for 20 s': async ({ postgres, redis }) => {
    let pieces = 0;
    // Leases last 3 s here, so a round trip of 100 ms is like 2 s for leases of a minute. One chunk
    // in a hundred is delayed as if it had been lost and sent again.
    const delay = () => 50 + (++pieces % 100 === 0 ? 200 : 0);
    for (const { proxy } of [postgres, redis]) proxy.slow(delay);
    await sleep(20 * SECOND);
    for (const { proxy } of [postgres, redis]) proxy.slow();
  },
  'jobs doubled': async ({ queues, database }) => {
    const { rows } = await database.pool.query<{ id: string; epoch: number; stage: string }>(
      'select id, epoch, stage from tasks order by random() limit 50',
    );
    for (const { id, epoch, stage } of rows) {
      for (let i = 0; i < 5; i++)
        await queues.byStage.get(stage)?.add(stage, { taskId: id, epoch }, { jobId: newId() });
    }
  },
  'jobs forged': async ({ queues, database }) => {
    const { rows } = await database.pool.query<{ id: string; epoch: number }>(
      'select id, epoch from tasks order by random() limit 50',
    );
    for (const queue of queues.byStage.values()) {
      for (const { id, epoch } of rows) await queue.add('claim', { taskId: id, epoch: epoch + 1 });
      await queue.add('claim', { taskId: newId(), epoch: 3 });
    }
  },
  '10,000 malformed jobs': ({ queues }) => addMalformed(queues, 10_000),
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
