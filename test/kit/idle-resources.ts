import { join } from 'node:path';
import { pino } from 'pino';
import type { Database } from '../../src/db/index.ts';
import { createSeal } from '../../src/lib/seal.ts';
import { HOUR } from '../../src/lib/time.ts';
import { createMetrics } from '../../src/observability/metrics/index.ts';
import { noTracing } from '../../src/observability/tracing/index.ts';
import { openOutgoing } from '../../src/outgoing/index.ts';
import { openChoice } from '../../src/providers/choice.ts';
import type { Resources } from '../../src/resources.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { openFiles } from '../../src/storage/files/index.ts';

const absent = (): Promise<never> => Promise.reject(new Error('There is no such provider here'));
const close = async () => undefined;

/**
 * Resources for stages that neither read nor extract. Outgoing calls to this machine are allowed.
 */
export async function idleResources(
  database: Database,
  directory: string,
  changes: Partial<Resources> = {},
): Promise<Resources> {
  return {
    database,
    storage: await openFiles(join(directory, 'files')),
    sandbox: openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 100 }),
    reader: { engine: 'none', read: absent, close },
    extractor: { engine: 'none', deterministic: true, extract: absent, close },
    engines: { ocr: openChoice<never>({}), llm: openChoice<never>({}) },
    outgoing: openOutgoing({ allow: ['127.0.0.0/8'], insecure: true }),
    seal: createSeal('the key of a test, which is long enough'),
    providers: { states: async () => [] },
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    tracing: noTracing,
    settings: {
      qualityThreshold: 0.7,
      maxPixels: 100_000_000,
      inlineOcr: { minPixels: 20_000, most: 20 },
      largePages: 100,
      unpack: { entries: 25_000, bytes: 2 ** 32, depth: 5, ratio: 100, volumeWaitMs: 0 },
      deliveryGiveUpMs: 24 * HOUR,
      dailyBudgetMicros: undefined,
    },
    ...changes,
  };
}
