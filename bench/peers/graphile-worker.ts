import { Logger, makeWorkerUtils, type Runner, run, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { batchCalls } from '../../src/lib/batch-calls.ts';
import type { Course, OpenCourse } from '../speed/course.ts';
import { hops } from '../speed/hops.ts';

type Add = (identifier: string, payload: { id: string }) => Promise<unknown>;

/** As documented: ten concurrent jobs, and one `addJob` per follow-up job. */
export const documented =
  (connectionString: string): OpenCourse =>
  (onEnd) =>
    openWorker(connectionString, (add) => ({ concurrency: 10, taskList: tasks(add, onEnd) }), {
      batched: false,
    });

/**
 * With everything its performance guide offers: a local queue, batched completion and batched
 * adding.
 */
export const tuned =
  (connectionString: string): OpenCourse =>
  (onEnd) =>
    openWorker(
      connectionString,
      (add) => ({
        taskList: tasks(add, onEnd),
        preset: {
          worker: {
            concurrentJobs: 50 * hops.length,
            localQueue: { size: 500 },
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
          },
        },
      }),
      { batched: true },
    );

type Options = Pick<Parameters<typeof run>[0], 'concurrency' | 'taskList' | 'preset'>;

async function openWorker(
  connectionString: string,
  optionsWith: (add: Add) => Options,
  { batched }: { batched: boolean },
): Promise<Course> {
  const logger = new Logger(() => () => undefined);
  // Our own pool, so that we can wait until it has ended. The library's functions do not wait.
  const pgPool = new pg.Pool({ connectionString, max: 12 });
  pgPool.on('error', () => undefined);
  pgPool.on('connect', (client) => client.on('error', () => undefined));
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  const addAll = async (specs: { identifier: string; payload: { id: string } }[]) => [
    ...(await utils.addJobs(specs)),
  ];
  const addOne = batchCalls(addAll, { most: 500, inFlight: 2 });
  const add: Add = (identifier, payload) =>
    batched ? addOne({ identifier, payload }) : utils.addJob(identifier, payload);
  let runner: Runner | undefined;
  return {
    async seed(count) {
      for (let made = 0; made < count; made += 1000) {
        const ids = Array.from({ length: Math.min(1000, count - made) }, (_, i) =>
          String(made + i),
        );
        await addAll(ids.map((id) => ({ identifier: hops[0], payload: { id } })));
      }
    },
    async start() {
      runner = await run({ pgPool, logger, noHandleSignals: true, ...optionsWith(add) });
    },
    async close() {
      await runner?.stop();
      await utils.release();
      await pgPool.end();
    },
  };
}

function tasks(add: Add, onEnd: (id: string) => void): TaskList {
  return Object.fromEntries(
    hops.map((hop, at) => [
      hop,
      async (payload: unknown) => {
        const { id } = payload as { id: string };
        const next = hops[at + 1];
        if (next) await add(next, { id });
        else onEnd(id);
      },
    ]),
  );
}
