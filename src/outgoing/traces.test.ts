import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startCollector } from '../../test/kit/collector.ts';
import { openDelivering } from '../../test/kit/delivering.ts';
import { drain } from '../../test/kit/drain.ts';
import { startReceiver } from '../../test/kit/receiver.ts';
import { startS3Server } from '../../test/kit/s3-server.ts';
import { makeMessages } from '../db/webhook-messages.ts';
import { insertWebhook } from '../db/webhooks.ts';
import { sendDue } from '../jobs/send-webhooks.ts';
import { Closers } from '../lib/closers.ts';
import { openTracing } from '../observability/tracing/open.ts';
import { startManagerSimulator } from '../simulators/manager/index.ts';
import { openOutgoing } from './index.ts';

const settings = { headers: {}, service: 'mill', version: '1', share: 1 };
const client = 3;

/** An engine that exports its spans to a collector when it ends. */
async function setup() {
  const collector = await startCollector();
  const closers = new Closers();
  const tracing = await openTracing(
    { ...settings, endpoint: collector.url },
    pino({ level: 'silent' }),
    closers,
  );
  const outgoing = openOutgoing({ allow: ['127.0.0.0/8'], insecure: true, tracing });
  const engine = await openDelivering({ tracing, outgoing });
  onTestFinished(async () => {
    await engine.close();
    await collector.close();
  });
  const admit = () => engine.admit('text', 'a.txt', { tracing });
  return { engine, admit, collector, flush: () => closers.close() };
}

test('the calls that hand a document over are part of its trace', async () => {
  const { engine, admit, collector, flush } = await setup();
  const manager = await startManagerSimulator();
  const bucket = await startS3Server();
  onTestFinished(async () => {
    await manager.close();
    await bucket.stop();
  });
  await engine.destination({ url: `${manager.url}/?token=canary` });
  const { endpoint, accessKeyId, secretAccessKey } = bucket;
  await engine.destination(
    { endpoint, bucket: bucket.bucket },
    { kind: 's3' },
    { accessKeyId, secretAccessKey },
  );
  await admit();
  await drain(engine.runnerWith());
  await flush();

  const [admitted] = collector.named('admit');
  const calls = collector.spans.filter(({ kind }) => kind === client);
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(
    new Set([admitted?.traceId]),
  );
  const runs = new Set(collector.named('deliver').map(({ spanId }) => spanId));
  expect(calls.filter(({ parentSpanId = '' }) => !runs.has(parentSpanId))).toEqual([]);
  for (const url of [manager.url, endpoint]) {
    const { host, port, hostname } = new URL(url);
    const own = calls.filter(({ name }) => String(name).endsWith(` ${host}`));
    expect(own.length).toBeGreaterThan(1);
    for (const { name, attributes } of own)
      expect(attributes).toEqual({
        'http.request.method': String(name).split(' ')[0],
        'server.address': hostname,
        'server.port': Number(port),
        'http.response.status_code': expect.any(Number),
      });
  }
  expect(JSON.stringify(collector.spans)).not.toMatch(/canary|TESTACCESSKEY|Secret/);
});

test('so are the webhooks that tell of it, whenever they are sent', async () => {
  const { engine, admit, collector, flush } = await setup();
  const receiver = await startReceiver(() => ({ status: 503 }));
  onTestFinished(() => receiver.close());
  const { db } = engine.resources.database;
  const scope = { workspaceId: engine.workspaceId, batchId: null, ordered: false };
  const secret = engine.resources.seal.seal('whsec_c2VjcmV0');
  await insertWebhook(db, { ...scope, url: receiver.url, secret, types: ['DOCUMENT_ADDED'] });
  await admit();
  await vi.waitFor(async () => {
    await makeMessages(db, 1000);
    expect(await sendDue(engine.resources)).toEqual({ delivered: 0, failed: 1 });
  }, 20_000);
  await flush();
  const { host, port } = new URL(receiver.url);
  expect(collector.named(`POST ${host}`)).toMatchObject([
    {
      kind: client,
      traceId: collector.named('admit')[0]?.traceId,
      parentSpanId: collector.named('admit')[0]?.spanId,
      attributes: { 'http.response.status_code': 503, 'server.port': Number(port) },
      status: { code: 2 },
    },
  ]);
});
