import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { startWorkers } from '../../engine/queues/workers.ts';
import { BusyError, PermanentError } from '../../errors.ts';
import { SECOND } from '../../lib/time.ts';
import { pipeline } from '../../workers/pipeline.ts';
import { describeQueue } from './describe-queue.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ context: { boardWritable: true } });
});
afterAll(() => api.close());

const job = z.looseObject({
  id: z.string(),
  name: z.string(),
  data: z.looseObject({}),
  failedReason: z.string().optional(),
  externalUrl: z.object({ href: z.string() }).optional(),
});
const listing = z.object({
  queues: z.array(z.looseObject({ name: z.string(), jobs: z.array(job) })),
});

async function listJobs(status: string, queue = 'claim') {
  const query = new URLSearchParams({ activeQueue: queue, status, page: '1', jobsPerPage: '50' });
  const response = await api.call(`/admin/queues/api/queues?${query}`, { key: api.keys.admin });
  const { queues } = listing.parse(await response.json());
  return queues.find(({ name }) => name === queue)?.jobs ?? [];
}

/** Runs a document in workers that keep so many finished jobs. */
async function runOne(name: string, { boardKeep = 10, until = 'completed' } = {}) {
  const redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null });
  const { announce } = api.queues;
  const workers = startWorkers(api.runnerWith({ announce }), {
    queues: api.stages,
    redis,
    prefix: api.prefix,
    limitsOf: () => ({ concurrency: 4, rate: undefined }),
    boardKeep,
  });
  onTestFinished(async () => {
    await workers.stop(5 * SECOND);
    redis.disconnect();
  });
  const { documentId } = await api.admit('text', name, { announce });
  const wait = { timeout: 30 * SECOND, interval: 50 };
  await vi.waitFor(async () => expect(await outcomeOf(documentId)).toBe(until), wait);
  return documentId;
}

async function outcomeOf(documentId: string): Promise<string> {
  const { status } = await api.latestIngestionOf(documentId);
  if (status !== 'in-progress') return status;
  const { postponed } = await api.taskOf(documentId);
  return postponed > 0 ? 'postponed' : status;
}

test('a finished job stays, named by its document', async () => {
  const documentId = await runOne('kept.txt');
  await vi.waitFor(async () => expect(await listJobs('completed')).toHaveLength(1));
  expect(await listJobs('completed')).toMatchObject([
    {
      name: 'kept.txt',
      externalUrl: { href: `/v1/documents/${documentId}` },
      data: {
        document: 'kept.txt',
        workspace: 'test',
        stage: 'claim',
        lane: 'small',
        outcome: 'claimed',
      },
    },
  ]);
  const [first] = await listJobs('completed');
  const logs = await api.call(`/admin/queues/api/queues/claim/${first?.id}/logs`, {
    key: api.keys.admin,
  });
  expect(await logs.json()).toEqual([expect.stringMatching(/kept\.txt: claimed after \d+ ms on /)]);
});

test('a job that waits says until when and why', async () => {
  let busy = true;
  api.behaviours.set('busy.txt', async () => {
    if (busy) throw new BusyError('The vendor is busy', 20 * SECOND);
  });
  const documentId = await runOne('busy.txt', { until: 'postponed' });
  busy = false;
  await vi.waitFor(async () => {
    const jobs = await listJobs('completed');
    expect(jobs.find(({ name }) => name === 'busy.txt')?.data).toMatchObject({
      outcome: 'snooze',
      code: 'BUSY',
      message: 'The vendor is busy',
      until: expect.stringMatching(/^\d{4}-/),
    });
  });
  await api.call(`/v1/documents/${documentId}/cancel`, { method: 'POST' });
});

test('a failed job shows the reason and a hint, and its retry is a replay by the engine', async () => {
  let damaged = true;
  api.behaviours.set('bad.txt', async () => {
    if (damaged) throw new PermanentError('INVALID_FILE', 'The file is damaged');
  });
  const documentId = await runOne('bad.txt', { until: 'failed' });
  await vi.waitFor(async () => expect(await listJobs('failed')).toHaveLength(1));
  const [failed] = await listJobs('failed');
  expect(failed).toMatchObject({
    name: 'bad.txt',
    failedReason: 'INVALID_FILE: The file is damaged',
    data: { code: 'INVALID_FILE', hint: expect.stringContaining('save a new copy') },
  });
  damaged = false;
  const retry = (key: string) =>
    api.call(`/admin/queues/api/queues/claim/${failed?.id}/retry`, { method: 'PUT', key });
  expect((await retry(api.keys.operator)).status).toBe(403);
  expect((await retry(api.keys.admin)).status).toBe(204);
  await vi.waitFor(async () => expect(await outcomeOf(documentId)).toBe('completed'), 20_000);
  expect(await listJobs('failed')).toEqual([]);
  expect((await retry(api.keys.admin)).status).toBe(404);
});

test('only so many are kept, and none of a hint that did nothing', async () => {
  await runOne('one.txt', { boardKeep: 1 });
  await runOne('two.txt', { boardKeep: 1 });
  const { id } = await api.taskOf((await api.admit('text', 'stale.txt')).documentId);
  await api.queues.announce([{ taskId: id, epoch: 7, stage: 'claim' }]);
  const queue = api.queues.byStage.get('claim');
  await vi.waitFor(async () => expect(await queue?.getJob(`${id}-7`)).toBeUndefined(), 20_000);
  expect((await listJobs('completed')).map(({ name }) => name)).toEqual(['two.txt']);
});

test('callers that are bound to a workspace do not see it', async () => {
  expect((await api.call('/admin/queues', { key: api.keys.stranger })).status).toBe(403);
  expect((await api.call('/admin/queues/api/queues', { key: api.keys.stranger })).status).toBe(403);
  expect((await api.call('/admin/queues', { key: api.keys.operator })).status).toBe(200);
});

test('every queue has a description', () => {
  for (const stage of [...Object.keys(pipeline), 'quarantine'])
    expect(describeQueue(stage)).not.toBe('');
});
