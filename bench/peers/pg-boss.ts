import PgBoss from 'pg-boss';
import type { Course, OpenCourse } from '../speed/course.ts';
import { hops } from '../speed/hops.ts';

interface Hop {
  id: string;
}

/** As documented: one worker with a batch per queue, and one `send` per follow-up job. */
export const documented =
  (databaseUrl: string): OpenCourse =>
  (onEnd) =>
    openBoss(databaseUrl, async (boss) => {
      for (const [at, hop] of hops.entries()) {
        const next = hops[at + 1];
        await boss.work<Hop>(hop, { batchSize: 50, pollingIntervalSeconds: 0.5 }, async (jobs) => {
          if (next) await Promise.all(jobs.map(({ data }) => boss.send(next, data)));
          else for (const { data } of jobs) onEnd(data.id);
        });
      }
    });

/**
 * As fast as its API allows: large fetches without pauses, one insert and one completion per batch.
 */
export const tuned =
  (databaseUrl: string): OpenCourse =>
  (onEnd) => {
    let stopped = false;
    const pump = async (boss: PgBoss, hop: string, next: string | undefined): Promise<void> => {
      while (!stopped) {
        const jobs = await boss.fetch<Hop>(hop, { batchSize: 200 });
        if (jobs.length === 0) await new Promise(setImmediate);
        else {
          if (next) await boss.insert(jobs.map(({ data }) => ({ name: next, data })));
          await boss.complete(
            hop,
            jobs.map(({ id }) => id),
          );
          if (!next) for (const { data } of jobs) onEnd(data.id);
        }
      }
    };
    const pumps: Promise<void>[] = [];
    return openBoss(
      databaseUrl,
      async (boss) => {
        pumps.push(...hops.map((hop, at) => pump(boss, hop, hops[at + 1])));
      },
      async () => {
        stopped = true;
        await Promise.all(pumps);
      },
    );
  };

async function openBoss(
  connectionString: string,
  start: (boss: PgBoss) => Promise<void>,
  stop = async (): Promise<void> => undefined,
): Promise<Course> {
  const boss = new PgBoss({ connectionString, max: 10, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  for (const hop of hops) await boss.createQueue(hop);
  return {
    async seed(count) {
      for (let made = 0; made < count; made += 1000)
        await boss.insert(
          Array.from({ length: Math.min(1000, count - made) }, (_, i) => ({
            name: hops[0],
            data: { id: String(made + i) },
          })),
        );
    },
    start: () => start(boss),
    async close() {
      await stop();
      await boss.stop({ graceful: false, wait: true });
    },
  };
}
