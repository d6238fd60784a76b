import { openDatabase } from '../../src/db/index.ts';
import { runTask } from '../../src/engine/task/executor.ts';
import { createRunner } from '../../src/engine/task/runner.ts';
import { countingPipeline } from './counting-pipeline.ts';
import { armFailpoints } from './hooks.mjs';
import { idleResources } from './idle-resources.ts';
import { runnerOptions } from './runner-options.ts';

/** A worker process that takes one task of a counter and dies at a failpoint. */
const [url = '', directory = '', taskId = '', failpoints = ''] = process.argv.slice(2);
armFailpoints(failpoints);
const database = openDatabase({ url, connections: 2, onError: () => undefined });
const runner = createRunner(
  countingPipeline,
  await idleResources(database, directory),
  runnerOptions(`counter-${process.pid}`),
);
await runTask(runner, 'count', { taskId, epoch: 0 }, {});
