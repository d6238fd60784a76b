import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/index.ts';
import { queueNames } from '../../src/engine/pipeline/pipeline.ts';
import { schedule } from '../../src/jobs/schedule.ts';
import { keys } from '../../src/lib/keys.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { temporaryDirectory } from '../kit/temporary-directory.ts';

test('the run-time user of the embedded servers has all that the product needs', {
  timeout: 120_000,
}, async () => {
  const environment = {
    MILLRACE_DATA: await temporaryDirectory(),
    MILLRACE_ROLES: 'api',
    MILLRACE_PORT: '0',
    LOG_LEVEL: 'silent',
  };
  const app = await createApp(loadConfig(environment, queueNames(pipeline), undefined));
  onTestFinished(() => app.close());
  const { pool } = app.resources.database;
  const who = await pool.query('select current_user as name');
  expect(who.rows).toEqual([{ name: 'millrace_runtime' }]);
  const headers = { authorization: `Bearer ${app.key?.text}` };
  const upload = { method: 'POST', headers, body: 'text' };
  expect((await fetch(`${app.url}/v1/documents?name=a.txt`, upload)).status).toBe(202);
  for (const name of keys(schedule)) {
    const answer = await fetch(`${app.url}/admin/jobs/${name}/run`, { method: 'POST', headers });
    expect({ name, status: answer.status, text: await answer.text() }).toMatchObject({
      status: 200,
    });
  }
  for (const sql of [
    'drop table documents',
    'alter table tasks disable trigger all',
    'create table mine ()',
    "select drop_event_partition('events')",
    'delete from drizzle.__drizzle_migrations',
  ])
    await expect(pool.query(sql)).rejects.toThrow(
      /must be owner|permission denied|not a partition/,
    );
});
