import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { PermanentError } from '../../errors.ts';
import { schedule } from '../../jobs/schedule.ts';
import { MINUTE } from '../../lib/time.ts';

const failing = { everyMs: MINUTE, run: () => Promise.reject(new Error('nothing works')) };
let release = () => {};
const slow = {
  everyMs: MINUTE,
  run: vi.fn(
    () =>
      new Promise<Record<string, number>>((resolve) => {
        release = () => resolve({ waited: 1 });
      }),
  ),
};
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ schedule: { ...schedule, failing, slow } });
});
afterAll(() => api.close());

const call = (path = '', method = 'GET') =>
  api.call(`/admin/jobs${path}`, { method, key: api.keys.operator });
const metricsText = async () => (await fetch(`${api.url}/metrics`)).text();

test('a job runs when asked to, and its pass is written down', async () => {
  const answer = await call('/sweep-stale-claims/run', 'POST');
  expect(await answer.json()).toEqual({
    name: 'sweep-stale-claims',
    report: { recovered: 0, died: 0 },
  });
  expect(await (await call()).json()).toMatchObject({
    jobs: expect.arrayContaining([
      {
        name: 'sweep-stale-claims',
        everyMs: schedule['sweep-stale-claims'].everyMs,
        startedAt: expect.any(String),
        finishedAt: expect.any(String),
        succeededAt: expect.any(String),
        report: { recovered: 0, died: 0 },
        error: null,
      },
      expect.objectContaining({ name: 'watch-redis', startedAt: null }),
    ]),
  });
  expect(await metricsText()).toMatch(
    /^millrace_job_duration_seconds_count\{interval_job="sweep-stale-claims",outcome="done"\} 1$/m,
  );
});

test('a pass that fails leaves its error and no success', async () => {
  expect((await call('/failing/run', 'POST')).status).toBe(500);
  expect(await (await call()).json()).toMatchObject({
    jobs: expect.arrayContaining([
      expect.objectContaining({ name: 'failing', error: 'nothing works', succeededAt: null }),
    ]),
  });
  const text = await metricsText();
  expect(text).toMatch(
    /^millrace_job_duration_seconds_count\{interval_job="failing",outcome="failed"\} 1$/m,
  );
  expect(text).toMatch(/^millrace_job_interval_seconds\{interval_job="failing"\} 60$/m);
  expect(text).not.toMatch(
    /^millrace_job_last_success_timestamp_seconds\{interval_job="failing"\}/m,
  );
});

test('two passes of one job do not overlap, and there are no others', async () => {
  const first = call('/slow/run', 'POST');
  await vi.waitFor(() => expect(slow.run).toHaveBeenCalled(), 20_000);
  expect((await call('/slow/run', 'POST')).status).toBe(409);
  release();
  expect((await first).status).toBe(200);
  expect((await call('/no-such-job/run', 'POST')).status).toBe(404);
});

test('the views are refreshed and tell the backlog in seconds', async () => {
  const { pool } = api.resources.database;
  await api.admit('text', 'done.txt');
  await drain(api.runnerWith());
  await pool.query(
    `insert into events (type, data) select 'TASK_FINISHED', '{"stage":"claim","outcome":"claimed","ms":3000}' from generate_series(1, 1000)`,
  );
  await pool.query("update ingestions set transcription_quality = 1 where status = 'completed'");
  await call('/refresh-stage-statistics/run', 'POST');
  await call('/refresh-quality-distribution/run', 'POST');
  const answer = await api.call('/admin/statistics', { key: api.keys.operator });
  expect(await answer.json()).toMatchObject({
    stages: expect.arrayContaining([
      expect.objectContaining({ stage: 'claim', outcome: 'claimed', runs: 1001, p50Ms: 3000 }),
    ]),
    quality: [{ workspaceId: api.workspaceId, tenth: 9, documents: 1 }],
  });
  const foreign = await api.call('/admin/statistics', { key: api.keys.stranger });
  expect(await foreign.json()).toMatchObject({ quality: [] });
  for (const name of ['a', 'b']) await api.admit('text', name);
  const text = await metricsText();
  expect(Number(/^millrace_backlog_seconds\{stage="claim"\} (\S+)$/m.exec(text)?.[1])).toBeCloseTo(
    6,
    1,
  );
  expect(text).toMatch(/^millrace_tasks\{stage="claim",state="waiting"\} 2$/m);
  expect(text).toMatch(/^millrace_queue_workers\{queue="claim"\} 0$/m);
  await pool.query("update tasks set not_before = now() - interval '1 hour' where state = 'ready'");
  expect(
    Number(
      /^millrace_oldest_waiting_seconds\{stage="claim"\} (\S+)$/m.exec(await metricsText())?.[1],
    ),
  ).toBeGreaterThan(3599);
});

test('dead letters are counted by stage and code', async () => {
  api.behaviours.set('bad.pdf', async () => {
    throw new PermanentError('INVALID_FILE', 'broken');
  });
  await api.admit('text', 'bad.pdf');
  await drain(api.runnerWith());
  expect(await metricsText()).toMatch(
    /^millrace_dlq_entries\{stage="claim",code="INVALID_FILE"\} 1$/m,
  );
});
