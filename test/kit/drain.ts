import { type Lane, queueName } from '../../src/domain/lane.ts';
import { runTask } from '../../src/engine/task/executor.ts';
import type { RunInChild } from '../../src/engine/task/perform.ts';
import type { Runner } from '../../src/engine/task/runner.ts';
import { noChild } from './no-child.ts';

/**
 * Runs everything that is due in this process, without Redis, until nothing is left. Returns the
 * number of runs.
 */
export async function drain(runner: Runner, inChild: RunInChild = noChild): Promise<number> {
  let runs = 0;
  for (;;) {
    const { rows } = await runner.resources.database.pool.query<{
      id: string;
      epoch: number;
      stage: string;
      lane: Lane;
      suspect: boolean;
    }>(
      "select id, epoch, stage, lane, suspect from tasks where state = 'ready' and not_before <= now() order by id limit 100",
    );
    if (rows.length === 0) return runs;
    await Promise.all(
      rows.map(({ id, epoch, stage, lane, suspect }) =>
        runTask(runner, queueName(stage, lane), { taskId: id, epoch }, { inChild, alone: suspect }),
      ),
    );
    runs += rows.length;
  }
}
