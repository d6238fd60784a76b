import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openTestApi } from '../../../test/kit/api.ts';
import { type CollectedSpan, startCollector } from '../../../test/kit/collector.ts';
import { drain } from '../../../test/kit/drain.ts';
import { uniquePrefix } from '../../../test/kit/redis.ts';
import { PermanentError } from '../../errors.ts';
import { Closers } from '../../lib/closers.ts';
import { openProviders } from '../../providers/limits.ts';
import { freePort } from '../../servers/embedded/free-port.ts';
import { createMetrics } from '../metrics/index.ts';
import { currentTraceparent } from './index.ts';
import { openTracing } from './open.ts';

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const sampled = `00-${caller.traceId}-${caller.spanId}-01`;
const settings = { headers: { 'x-token': 'of ours' }, service: 'mill', version: '1.2.3', share: 1 };
const silent = pino({ level: 'silent' });

/** A server that sends its spans to a test collector. */
async function setup() {
  const collector = await startCollector();
  const closers = new Closers();
  const tracing = await openTracing(
    { ...settings, endpoint: `${collector.url}/` },
    silent,
    closers,
  );
  const api = await openTestApi({ resources: { tracing } });
  onTestFinished(async () => {
    await api.close();
    await collector.close();
  });
  return { api, tracing, collector, flush: () => closers.close() };
}

const parentIn = (spans: CollectedSpan[], { parentSpanId }: CollectedSpan) =>
  spans.find(({ spanId }) => spanId === parentSpanId)?.name;

test('a document is one trace, from the request of the caller through all queues', async () => {
  const { api, tracing, collector, flush } = await setup();
  const redis = new Redis(inject('redisUrl'));
  onTestFinished(() => redis.disconnect());
  const { govern } = openProviders(redis, {
    prefix: uniquePrefix(),
    log: silent,
    metrics: createMetrics(),
    tracing,
  });
  api.behaviours.set('a.txt', async (_, { signal }) =>
    govern('vendor', 100).run(async () => 'answer', signal),
  );
  const form = new FormData();
  form.append('file', new Blob(['text']), 'a.txt');
  const headers = { traceparent: sampled };
  const answer = await api.call('/v1/documents', { method: 'POST', body: form, headers });
  expect(answer.status).toBe(202);
  await api.call('/livez');
  await drain(api.runnerWith());
  await flush();

  const { spans, services } = collector;
  expect([...services]).toEqual(['mill']);
  expect(collector.headers[0]).toMatchObject({ 'x-token': 'of ours' });
  expect(spans.map(({ name }) => name).toSorted()).toEqual([
    'HTTP POST',
    'admit',
    'call vendor',
    'claim',
    'finalize',
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([caller.traceId]));
  const parents = Object.fromEntries(
    spans.map((span) => [span.name, parentIn(spans, span) ?? span.parentSpanId]),
  );
  expect(parents).toEqual({
    'HTTP POST': caller.spanId,
    admit: 'HTTP POST',
    claim: 'admit',
    'call vendor': 'claim',
    finalize: 'admit',
  });
  const { rows } = await api.resources.database.pool.query(
    'select id, document_id from ingestions',
  );
  expect(collector.named('claim')[0]).toMatchObject({
    kind: 5,
    attributes: {
      'millrace.stage': 'claim',
      'millrace.attempt': 1,
      'millrace.outcome': 'claimed',
      'millrace.document': rows[0]?.document_id,
      'millrace.ingestion': rows[0]?.id,
    },
  });
  expect(collector.named('HTTP POST')[0]?.attributes).toMatchObject({
    'http.route': '/v1/documents/',
    'http.response.status_code': 202,
  });
});

test('what fails says so, and another run is another trace', async () => {
  const { api, collector, flush } = await setup();
  api.behaviours.set('bad.txt', async () => {
    throw new PermanentError('INVALID_FILE', 'broken');
  });
  const { documentId } = await api.admit('text', 'bad.txt', api.context.intake);
  await drain(api.runnerWith());
  await api.call(`/v1/documents/${documentId}/reprocess`, { method: 'POST' });
  await drain(api.runnerWith());
  await flush();
  const [first, second] = collector.named('claim');
  for (const span of [first, second])
    expect(span).toMatchObject({
      status: { code: 2, message: 'broken' },
      attributes: { 'millrace.outcome': 'reject', 'millrace.code': 'INVALID_FILE' },
    });
  expect(first?.traceId).toBe(collector.named('admit')[0]?.traceId);
  expect(second?.traceId).toBe(collector.named('reprocess')[0]?.traceId);
  expect(first?.traceId).not.toBe(second?.traceId);
});

test('what the caller does not want to be traced is not', async () => {
  const { api, collector, flush } = await setup();
  const headers = { traceparent: sampled.replace(/01$/, '00'), 'x-file-name': 'a.txt' };
  await api.call('/v1/documents', { method: 'POST', body: 'text', headers });
  await drain(api.runnerWith());
  await flush();
  expect(collector.spans).toEqual([]);
});

test.each([
  '',
  'nonsense',
  `ff${sampled.slice(2)}`,
  sampled.replace(caller.traceId, '0'.repeat(32)),
])('a traceparent %j begins a trace of our own', async (parent) => {
  const collector = await startCollector();
  onTestFinished(collector.close);
  const closers = new Closers();
  const tracing = await openTracing({ ...settings, endpoint: collector.url }, silent, closers);
  await tracing.span('work', { kind: 0, parent }, async () => undefined);
  await closers.close();
  expect(collector.named('work')[0]?.parentSpanId).toBeUndefined();
});

test('a collector that is away, or does not answer, holds nothing up', async () => {
  const mute = createServer(() => undefined);
  const port = await freePort();
  await new Promise<void>((resolve) => {
    mute.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => void mute.close());
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  for (const at of [port, await freePort()]) {
    const closers = new Closers();
    const tracing = await openTracing(
      { ...settings, endpoint: `http://127.0.0.1:${at}` },
      log,
      closers,
    );
    for (let i = 0; i < 10_000; i += 1)
      await tracing.span('work', { kind: 0 }, async () => undefined);
    await closers.close();
  }
  expect(lines.length).toBeLessThanOrEqual(2);
  expect(lines.at(-1)).toContain('traces could not be sent');
}, 60_000);

test('without an endpoint nothing is traced', async () => {
  const tracing = await openTracing({ ...settings, endpoint: undefined }, silent, new Closers());
  expect(await tracing.span('work', { kind: 0 }, async () => currentTraceparent())).toBeUndefined();
});
