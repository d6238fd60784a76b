import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { newKeyText } from '../../src/db/api-keys.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { startCli } from '../kit/cli.ts';
import { openTestEngine } from '../kit/engine.ts';
import { patience } from '../kit/installation.ts';
import { uniquePrefix } from '../kit/redis.ts';
import { s3Environment, startS3Server } from '../kit/s3-server.ts';
import { temporaryDirectory } from '../kit/temporary-directory.ts';

async function filesWith(contents: Record<string, string>) {
  const directory = await temporaryDirectory();
  for (const [name, text] of Object.entries(contents)) await writeFile(join(directory, name), text);
  return directory;
}

/** The environment of `run` on servers of the test. */
async function services() {
  const engine = await openTestEngine(pipeline);
  onTestFinished(engine.close);
  return {
    ...engine,
    env: {
      DATABASE_URL: engine.url,
      REDIS_URL: inject('redisUrl'),
      MILLRACE_REDIS_PREFIX: uniquePrefix(),
      MILLRACE_DATA: engine.directory,
    },
  };
}

test('submit waits for a server that restarts, and sends nothing twice', {
  timeout: 120_000,
}, async () => {
  const directory = await filesWith({ 'letter.txt': 'Dear Sir' });
  const port = await freePort();
  const env = { MILLRACE_URL: `http://127.0.0.1:${port}`, MILLRACE_API_KEY: newKeyText() };
  const command = startCli(['submit', '--json', directory], env);
  const reported = vi.fn();
  createInterface(command.child.stderr).on('line', reported);
  await vi.waitFor(
    () => expect(reported).toHaveBeenCalledWith(expect.stringContaining('Cannot connect')),
    patience,
  );

  const keys: unknown[] = [];
  const server = createServer((req, res) => {
    req.resume();
    keys.push(req.headers['idempotency-key']);
    if (keys.length > 1) return res.writeHead(202).end('{"id":"1"}');
    const problem = { detail: 'Storage is unavailable', code: 'STORAGE_UNAVAILABLE' };
    return res
      .writeHead(503, { 'retry-after': '1' })
      .end(JSON.stringify({ ...problem, retryable: true }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  expect(await command.exited).toBe(0);
  expect(JSON.parse(await command.stdout)).toMatchObject({ documentId: '1' });
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test('run prints what is finished while another file is still taken in, and what is there when its time is over', {
  timeout: 240_000,
}, async () => {
  const { env } = await services();
  const s3 = await startS3Server();
  onTestFinished(s3.stop);
  const slow = 'A letter that storage does not take. '.repeat(10);
  const directory = await filesWith({ '1.txt': 'Dear Sir or Madam', '2.txt': slow });
  for (let i = 0; i < 20; i += 1)
    s3.faults.plan(
      'silent',
      ({ method, headers }) =>
        method === 'PUT' && headers['content-length'] === String(slow.length),
    );
  const args = ['run', '--json', '--timeout', '30', directory];
  const command = startCli(args, { ...env, ...s3Environment(s3) });
  const lines: string[] = [];
  createInterface(command.child.stdout).on('line', (line) => lines.push(line));
  await vi.waitFor(() => expect(lines).toHaveLength(1), patience);
  expect(command.child.exitCode).toBe(null);
  expect(await command.exited).toBe(1);
  expect(await command.stderr).toContain('Timed out');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { path: join(directory, '1.txt'), status: 'completed' },
  ]);
});

test('run survives connections to Postgres that break while it takes files in', {
  timeout: 240_000,
}, async () => {
  const { env, resources } = await services();
  const contents = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`${i}.txt`, `Dear Sir number ${i}`]),
  );
  const command = startCli(['run', '--json', await filesWith(contents)], env);
  const count = async (sql: string) => (await resources.database.pool.query(sql)).rowCount ?? 0;
  await vi.waitFor(
    async () => expect(await count('select from documents')).toBeGreaterThan(3),
    patience,
  );
  for (let i = 0; i < 5; i += 1)
    await count(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query ilike '%documents%'`,
    );
  expect(await command.exited).toBe(0);
  const records = (await command.stdout).trim().split('\n');
  expect(records).toHaveLength(60);
  expect(await count('select from documents')).toBe(60);
});
