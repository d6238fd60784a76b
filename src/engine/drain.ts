import { pathToFileURL } from 'node:url';
import type { Job } from 'bullmq';
import type { RunInChild } from './perform.ts';
import { stepOf } from './pipeline.ts';
import { type Runner, runTask } from './run.ts';

type Processor = (job: Pick<Job, 'data'>) => Promise<unknown>;

/** Runs everything that is due in this process, without Redis, until nothing is left. Returns how many runs it took. */
export async function drain(runner: Runner): Promise<number> {
  let runs = 0;
  for (;;) {
    const { rows } = await runner.resources.database.pool.query<{ id: string; epoch: number; stage: string }>(
      "select id, epoch, stage from tasks where state = 'ready' and not_before <= now() order by id limit 100",
    );
    if (rows.length === 0) return runs;
    await Promise.all(
      rows.map(({ id, epoch, stage }) => runTask(runner, stage, { taskId: id, epoch }, inThisProcess(runner, stage))),
    );
    runs += rows.length;
  }
}

/** Here a sandboxed processor runs without its sandbox. */
function inThisProcess(runner: Runner, stage: string): RunInChild {
  return async (data) => {
    const { processor } = stepOf(runner.pipeline, stage).stage;
    if (!processor) throw new Error(`Stage "${stage}" has no processor`);
    const { default: run } = (await import(pathToFileURL(processor.pathname).href)) as { default: Processor };
    return run({ data });
  };
}
