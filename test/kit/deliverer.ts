import { openDatabase } from '../../src/db/index.ts';
import { runTask } from '../../src/engine/task/executor.ts';
import { createRunner } from '../../src/engine/task/runner.ts';
import { deliveringPipeline } from './delivering-pipeline.ts';
import { armFailpoints } from './hooks.mjs';
import { idleResources } from './idle-resources.ts';
import { noChild } from './no-child.ts';
import { runnerOptions } from './runner-options.ts';

/**
 * A worker process for tests to kill. Works on the given number of waiting deliveries concurrently,
 * and dies at failpoints.
 */
const [url = '', directory = '', count = '1', failpoints] = process.argv.slice(2);
if (failpoints) armFailpoints(failpoints);
const database = openDatabase({ url, connections: 10, onError: () => undefined });
const resources = await idleResources(database, directory);
const runner = createRunner(
  deliveringPipeline,
  resources,
  runnerOptions(`deliverer-${process.pid}`, 'deliver'),
);
const { rows } = await database.pool.query<{ id: string; epoch: number }>(
  "select id, epoch from tasks where stage = 'deliver' and state = 'ready' and not suspect order by id limit $1",
  [count],
);
await Promise.all(
  rows.map(({ id, epoch }) =>
    runTask(runner, 'deliver', { taskId: id, epoch }, { inChild: noChild }),
  ),
);
