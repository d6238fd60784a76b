import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { uniquePrefix } from '../../../test/kit/redis.ts';
import { makeActiveBatch, makeDocuments, makeWorkspace } from '../../../test/kit/rows.ts';
import { recordPass } from '../../db/job-runs.ts';
import { reasons } from '../../domain/circumstances.ts';
import { BudgetError } from '../../engine/budget/budget-error.ts';
import { startWorkers } from '../../engine/queues/workers.ts';
import { BusyError, PermanentError, StorageUnavailableError } from '../../errors.ts';
import { HOUR, SECOND } from '../../lib/time.ts';
import { createMetrics } from '../../observability/metrics/index.ts';
import { noTracing } from '../../observability/tracing/index.ts';
import { openProviders, type Providers } from '../../providers/limits.ts';

const answer = z.object({
  id: z.string(),
  status: z.string(),
  reason: z.enum(reasons),
  stage: z.string().nullable(),
  since: z.iso.datetime(),
  until: z.iso.datetime().nullable(),
  message: z.string(),
});
const signal = new AbortController().signal;
const seen = new Set<string>();
let api: TestApi;
let redis: Redis;
let providers: Providers;
beforeAll(async () => {
  redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null });
  await vi.waitFor(() => expect(redis.status).toBe('ready'), 20_000);
  const log = pino({ level: 'silent' });
  providers = openProviders(redis, {
    prefix: uniquePrefix(),
    log,
    metrics: createMetrics(),
    tracing: noTracing,
  });
  api = await openTestApi({ resources: { providers } });
});
afterAll(async () => {
  await api.close();
  redis.disconnect();
});

async function why(id: string, of = api) {
  const response = await of.call(`/v1/documents/${id}/why`);
  const found = answer.parse(await response.json());
  seen.add(found.reason);
  return found;
}

/** Runs a document once; the caller decides what its first stage does. */
async function ran(name: string, behaviour: () => Promise<unknown>): Promise<string> {
  api.behaviours.set(name, behaviour);
  const { documentId } = await api.admit('text', name);
  await drain(api.runnerWith());
  return documentId;
}

const query = (text: string, ...values: unknown[]) =>
  api.resources.database.pool.query(text, values);

/** Keeps the document from affecting later tests. */
const cancel = (id: string) => api.call(`/v1/documents/${id}/cancel`, { method: 'POST' });

test('what has ended waits for nothing', async () => {
  const done = await ran('done.txt', async () => undefined);
  expect(await why(done)).toMatchObject({ reason: 'completed', status: 'completed', until: null });
  const failed = await ran('failed.txt', async () => {
    throw new PermanentError('INVALID_FILE', 'It is broken');
  });
  expect(await why(failed)).toMatchObject({
    reason: 'failed',
    message: 'Failed (INVALID_FILE): It is broken. Nothing is pending.',
  });
  const { documentId } = await api.admit();
  await cancel(documentId);
  expect(await why(documentId)).toMatchObject({ reason: 'cancelled' });
});

test('a document without a task says what it needs to be admitted', async () => {
  const workspaceId = await makeWorkspace(api.resources.database.pool, 1);
  const batchId = await makeActiveBatch(api.resources.database.pool, workspaceId);
  const [id = ''] = await makeDocuments(api.resources.database.pool, {
    workspaceId,
    batchId,
    count: 1,
  });
  const whyIn = async (state: string) => {
    const turn = state === 'active' ? 'now()' : 'null';
    await query(`update batches set state = $2, turn_at = ${turn} where id = $1`, batchId, state);
    return why(id, { ...api, call: (path) => api.call(path, { key: api.keys.admin }) });
  };
  expect(await whyIn('open')).toMatchObject({ reason: 'batch-not-started', stage: null });
  expect(await whyIn('queued')).toMatchObject({ reason: 'batch-waits' });
  expect(await whyIn('paused')).toMatchObject({
    reason: 'batch-stands-still',
    message: expect.stringContaining('resume'),
  });
  await query('update batches set stuck_at = now() where id = $1', batchId);
  expect(await whyIn('paused')).toMatchObject({
    reason: 'batch-stuck',
    message: expect.stringMatching(/gave up its turn at 20.*Z/),
  });
  expect(await whyIn('active')).toMatchObject({ reason: 'not-admitted' });
  await makeDocuments(api.resources.database.pool, { workspaceId, count: 1, stage: 'finalize' });
  expect(await whyIn('active')).toMatchObject({ reason: 'window-full' });
  await query(
    'delete from tasks where ingestion_id in (select id from ingestions where workspace_id = $1)',
    workspaceId,
  );
});

test('a failed attempt is tried again at a known time', async () => {
  const id = await ran('retry.txt', async () => {
    throw new Error('connection reset');
  });
  const { notBefore } = await api.taskOf(id);
  expect(await why(id)).toMatchObject({
    reason: 'retry',
    until: notBefore.toISOString(),
    message: expect.stringContaining('Attempt 1 failed with INTERNAL: connection reset'),
  });
});

test('a document under work names its worker, and one whose worker is gone says so', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun = vi.fn(() => held);
  const running = ran('held.txt', begun);
  await vi.waitFor(() => expect(begun).toHaveBeenCalled(), 20_000);
  const { rows } = await query("select id from documents where name = 'held.txt'");
  const { leaseOwner, deadline } = await api.taskOf(rows[0].id);
  expect(await why(rows[0].id)).toMatchObject({
    reason: 'running',
    stage: 'claim',
    until: deadline?.toISOString(),
    message: expect.stringContaining(String(leaseOwner)),
  });
  await query("update tasks set lease_until = now() - interval '1 second' where state = 'running'");
  expect(await why(rows[0].id)).toMatchObject({ reason: 'worker-lost' });
  release();
  await running;
  await cancel(rows[0].id);
});

interface Trouble {
  reason: string;
  provider: string;
  perMinute: number;
  /** Calls made before the document arrives. */
  before: number;
  vendor: () => Promise<unknown>;
}
const fails = () => Promise.reject(new Error('503'));
const throttles = () => Promise.reject(new BusyError('Come back later', HOUR / 2));
const answers = async () => undefined;
const troubles: Trouble[] = [
  { reason: 'breaker-open', provider: 'ocr-a', perMinute: 100, before: 5, vendor: fails },
  { reason: 'provider-paused', provider: 'ocr-b', perMinute: 100, before: 1, vendor: throttles },
  { reason: 'rate-limit', provider: 'ocr-c', perMinute: 1, before: 1, vendor: answers },
];

test.each(troubles)(
  'a provider is the reason: $reason',
  async ({ reason, provider, perMinute, before, vendor }) => {
    const governor = providers.govern(provider, perMinute);
    const run = () => governor.run(vendor, signal);
    for (let call = 0; call < before; call += 1) await run().catch(() => undefined);
    const id = await ran(`${provider}.txt`, run);
    const { giveUpAt } = await api.taskOf(id);
    const found = await why(id);
    expect(found).toMatchObject({ reason, until: giveUpAt.toISOString() });
    expect(found.message).toContain(provider);
  },
);

test.each([
  [
    'daily-budget',
    'The daily budget of the workspace is $5.00: $4.98 spent',
    /at 20.*Z, or as soon as the limit is raised/,
  ],
  [
    'batch-budget',
    'The cost limit of the batch is $5.00: $4.98 spent',
    /Processing continues as soon as the limit is raised/,
  ],
] as const)('money is the reason: %s', async (reason, what, until) => {
  const held = { reason, limit: 5_000_000, spent: 4_980_000, reserved: 0, needs: 30_000 };
  const id = await ran(`${reason}.txt`, async () => {
    throw new BudgetError(held, HOUR);
  });
  const { notBefore } = await api.taskOf(id);
  const found = await why(id);
  expect(found).toMatchObject({
    reason: 'budget',
    stage: 'claim',
    until: reason === 'daily-budget' ? notBefore.toISOString() : null,
  });
  expect(found.message).toContain(`${what}, and the next call may cost up to $0.03.`);
  expect(found.message).toMatch(until);
});

test('anything else that is busy is told in its own words', async () => {
  const id = await ran('weather.txt', async () => {
    throw new BusyError('The weather is bad', 60 * SECOND);
  });
  expect(await why(id)).toMatchObject({
    reason: 'postponed',
    message: expect.stringContaining('The weather is bad'),
  });
});

test('storage that is away is the reason, whatever its breaker says', async () => {
  const id = await ran('storage.txt', async () => {
    throw new StorageUnavailableError('Storage is unavailable', 5 * SECOND);
  });
  const { giveUpAt } = await api.taskOf(id);
  expect(await why(id)).toMatchObject({
    reason: 'storage-unavailable',
    until: giveUpAt.toISOString(),
    message: expect.stringMatching(/^Storage is unavailable; the next try is at 20.*by itself\.$/),
  });
});

test('a due document says what keeps it from being taken', async () => {
  const { pool, db } = api.resources.database;
  const { documentId: id } = await api.admit('text', 'due.txt', { announce: api.queues.announce });
  expect(await why(id)).toMatchObject({
    reason: 'no-worker',
    message: 'No worker is connected to the queue claim.',
  });

  await api.queues.byStage.get('claim')?.pause();
  expect(await why(id)).toMatchObject({ reason: 'queue-paused' });
  await api.queues.byStage.get('claim')?.resume();

  await pool.query("update tasks set announced_at = null where state = 'ready'");
  expect(await why(id)).toMatchObject({ reason: 'no-scheduler' });
  await recordPass(db, { name: 'announce-due-tasks', ms: 1, report: {}, error: null });
  expect(await why(id)).toMatchObject({ reason: 'to-be-announced' });
  await cancel(id);
});

test('behind others it says how many', async () => {
  await query(
    "update tasks set state = 'cancelled', ended_at = now() where ended_at is null and state = 'ready'",
  );
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun = vi.fn(() => held);
  api.behaviours.set('first.txt', begun);
  const workers = startWorkers(api.runnerWith({ announce: api.queues.announce }), {
    queues: ['claim'],
    redis,
    prefix: api.prefix,
    limitsOf: () => ({ concurrency: 1, rate: undefined }),
  });
  onTestFinished(async () => {
    release();
    await workers.stop(10 * SECOND);
  });
  await api.admit('text', 'first.txt', { announce: api.queues.announce });
  await vi.waitFor(() => expect(begun).toHaveBeenCalled(), 20_000);
  const { documentId: second } = await api.admit('text', 'second.txt', {
    announce: api.queues.announce,
  });
  const { documentId: third } = await api.admit('text', 'third.txt', {
    announce: api.queues.announce,
  });
  expect(await why(second)).toMatchObject({ reason: 'next' });
  expect(await why(third)).toMatchObject({
    reason: 'behind-others',
    message: expect.stringMatching(/^Queued: 1 document is ahead/),
  });
});

test('without Redis that is the answer', async () => {
  const away = new Redis({ port: 1, maxRetriesPerRequest: 1, enableOfflineQueue: false });
  away.on('error', () => undefined);
  const alone = await openTestApi({ redis: away });
  onTestFinished(alone.close);
  const { documentId } = await alone.admit();
  expect(await why(documentId, alone)).toMatchObject({ reason: 'redis-unreachable' });
});

test('every reason was seen, and nobody else may ask', async () => {
  expect([...seen].toSorted()).toEqual([...reasons].toSorted());
  const { documentId } = await api.admit();
  expect(
    (await api.call(`/v1/documents/${documentId}/why`, { key: api.keys.stranger })).status,
  ).toBe(404);
});
