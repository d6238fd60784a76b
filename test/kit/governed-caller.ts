import { Redis } from 'ioredis';
import { pino } from 'pino';
import { z } from 'zod';
import { BusyError } from '../../src/errors.ts';
import { openOpenAi } from '../../src/extraction/openai/index.ts';
import type { Extractor } from '../../src/extraction/port.ts';
import { createMetrics } from '../../src/observability/metrics/index.ts';
import { noTracing } from '../../src/observability/tracing/index.ts';
import { openProviders } from '../../src/providers/limits.ts';
import { invoiceSchema, plainInvoice } from '../contract/llm.ts';

/**
 * A process that calls a model on command, within limits shared with other processes, and reports
 * the results.
 */
const task = z.object({
  redisUrl: z.string(),
  baseUrl: z.string(),
  prefix: z.string(),
  requestsPerMinute: z.number(),
});
const extractors = new Map<string, Extractor>();
let redis: Redis | undefined;

async function extractorFor({
  redisUrl,
  baseUrl,
  prefix,
  requestsPerMinute,
}: z.infer<typeof task>) {
  redis ??= new Redis(redisUrl);
  await redis.ping();
  const log = pino({ level: 'silent' });
  const { govern } = openProviders(redis, {
    prefix,
    log,
    metrics: createMetrics(),
    tracing: noTracing,
  });
  const settings = { apiKey: 'simulated', model: 'simulated', baseUrl };
  return extractors.get(prefix) ?? openOpenAi(settings, govern('openai', requestsPerMinute));
}

process.on('message', async (message) => {
  const given = task.parse(message);
  const extractor = await extractorFor(given);
  extractors.set(given.prefix, extractor);
  const outcome = await extractor
    .extract(plainInvoice(), invoiceSchema, new AbortController().signal)
    .then(
      () => ({ outcome: 'answered' }),
      (error: unknown) =>
        error instanceof BusyError
          ? { outcome: 'busy', waitMs: error.retryAfterMs, message: error.message }
          : { outcome: 'failed', message: String(error) },
    );
  process.send?.(outcome);
});
