import { join } from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../../src/db/index.ts';
import { runTask } from '../../src/engine/run.ts';
import { createRunner } from '../../src/engine/runner.ts';
import { armFailpoints } from '../../src/lib/failpoint.ts';
import { createSeal } from '../../src/lib/seal.ts';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { noTracing } from '../../src/observability/tracing.ts';
import { openOutgoing } from '../../src/outgoing/index.ts';
import { openChoice } from '../../src/providers/choice.ts';
import { openFiles } from '../../src/storage/files.ts';
import { deliveringPipeline } from './delivering-pipeline.ts';

/**
 * A worker process for tests to kill: works on as many waiting deliveries as it is told, all at once, and dies by itself
 * at failpoints.
 */
const [url = '', directory = '', count = '1', failpoints] = process.argv.slice(2);
if (failpoints) armFailpoints(failpoints);
const database = openDatabase({ url, connections: 10, onError: () => undefined });
const unused = (): Promise<never> => Promise.reject(new Error('Not here'));
const resources = {
  database,
  storage: await openFiles(join(directory, 'files')),
  reader: { engine: 'none', read: unused, close: async () => undefined },
  extractor: { engine: 'none', deterministic: true, extract: unused, close: async () => undefined },
  engines: { ocr: openChoice<never>({}), llm: openChoice<never>({}) },
  outgoing: openOutgoing({ allow: ['127.0.0.0/8'], insecure: true }),
  providers: { states: async () => [] },
  seal: createSeal('not needed by what is delivered here'),
  log: pino({ level: 'silent' }),
  metrics: createMetrics(),
  tracing: noTracing,
  settings: {
    qualityThreshold: 0.7,
    maxPixels: 1,
    largePages: 100,
    deliveryGiveUpMs: HOUR,
    dailyBudgetMicros: undefined,
  },
};
const runner = createRunner(deliveringPipeline, resources, {
  worker: `deliverer-${process.pid}`,
  leaseMs: MINUTE,
  first: 'deliver',
  giveUpMs: HOUR,
  maxAttempts: 3,
  largeFrom: { bytes: 2 ** 30, pages: 1000 },
  overrides: {},
  announce: async () => undefined,
});
const { rows } = await database.pool.query<{ id: string; epoch: number }>(
  "select id, epoch from tasks where stage = 'deliver' and state = 'ready' and not suspect order by id limit $1",
  [count],
);
await Promise.all(rows.map(({ id, epoch }) => runTask(runner, 'deliver', { taskId: id, epoch }, { inChild: unused })));
