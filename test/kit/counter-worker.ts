import { openDatabase } from '../../src/db/index.ts';
import { runTask } from '../../src/engine/task/executor.ts';
import { createRunner } from '../../src/engine/task/runner.ts';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import { countingPipeline } from './counting-pipeline.ts';
import { armFailpoints } from './hooks.mjs';
import { idleResources } from './idle-resources.ts';

/** A worker process that takes one task of a counter and dies at a failpoint. */
const [url = '', directory = '', taskId = '', failpoints = ''] = process.argv.slice(2);
armFailpoints(failpoints);
const database = openDatabase({ url, connections: 2, onError: () => undefined });
const runner = createRunner(countingPipeline, await idleResources(database, directory), {
  worker: `counter-${process.pid}`,
  leaseMs: MINUTE,
  first: 'claim',
  giveUpMs: HOUR,
  maxAttempts: 3,
  largeFrom: { bytes: 2 ** 30, pages: 1000 },
  overrides: {},
  announce: async () => undefined,
});
await runTask(runner, 'count', { taskId, epoch: 0 }, {});
