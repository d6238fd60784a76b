import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startCollector } from '../../test/kit/collector.ts';
import { openTestEngine } from '../../test/kit/engine.ts';
import { loadConfig } from '../config/index.ts';
import { countConnections } from '../db/connections.ts';
import { openDatabase } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import { isOutage } from '../db/outage.ts';
import { ensureWorkspace } from '../db/workspaces.ts';
import { HOUR } from '../lib/time.ts';
import { ensureSeal } from '../roles/credentials.ts';
import { freePort } from '../servers/embedded/free-port.ts';
import { pipeline } from '../workers/pipeline.ts';
import { examineConnections } from './connections.ts';
import { examineDisk } from './disk.ts';
import { examineOpenAi } from './llm.ts';
import { examineDocumentAi } from './ocr.ts';
import { examineClock, examineMigrations, examinePostgres } from './postgres.ts';
import { examinePrograms } from './programs.ts';
import { examineRedis } from './redis.ts';
import { examineSeal } from './seal.ts';
import { examineCollector } from './tracing.ts';
import { isAtLeast } from './version.ts';

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
});
afterAll(() => engine.close());

const configOf = (environment: Record<string, string>) => loadConfig(environment, [], undefined);

/** An HTTP server that answers like this, and its address. */
async function serve(status: number, body: unknown): Promise<string> {
  const server = createServer((_, res) => res.writeHead(status).end(JSON.stringify(body)));
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

test.each([
  ['7.2.4', '6.2', true],
  ['6.0.16', '6.2', false],
  ['v20.19.0', '20.19.0', true],
  ['20.9.0', '20.19.0', false],
  ['18.4 (Debian)', '14', true],
  ['', '14', false],
])('%s is at least %s: %s', (version, least, expected) => {
  expect(isAtLeast(version, least)).toBe(expected);
});

test('programs that are not installed are named, with what they are for', async () => {
  const found = (name: string) => (name === 'soffice' ? '/usr/bin/soffice' : undefined);
  expect(await examinePrograms(found)).toEqual({
    found:
      'soffice at /usr/bin/soffice; readpst not found, used for messages of damaged Outlook mailboxes (Debian: pst-utils)',
  });
});

describe('Postgres', () => {
  const { pool } = { pool: () => engine.resources.database.pool };

  test('that is read-only is found by the doctor, at the start, and by whoever writes', async () => {
    const url = Object.assign(new URL(engine.url), {
      search: '?options=-c%20default_transaction_read_only%3Don',
    }).href;
    const database = openDatabase({ url, connections: 1, onError: () => undefined });
    onTestFinished(() => database.close());
    const refusal = {
      message: 'Postgres is read-only.',
      hint: expect.stringContaining('primary server'),
    };
    await expect(examinePostgres(database.pool)).rejects.toMatchObject(refusal);
    await expect(migrate(database.pool)).rejects.toMatchObject(refusal);
    await expect(ensureWorkspace(database.db, 'new')).rejects.toSatisfy(isOutage);
  });

  test('is looked at for its version and its clock', async () => {
    expect(await examinePostgres(pool())).toEqual({ found: expect.stringMatching(/^version \d+/) });
    expect(await examineClock(pool())).toEqual({
      found: expect.stringContaining('differs from Postgres by'),
    });
    await expect(examineClock(pool(), () => Date.now() + HOUR)).rejects.toMatchObject({
      message: expect.stringContaining('differ by 3600 s'),
      hint: expect.stringContaining('NTP'),
    });
  });

  test('tells which migrations it lacks, and those of a newer version', async () => {
    const { found, fix } = await examineMigrations(pool());
    expect([found, fix]).toEqual([expect.stringMatching(/^(\d+) of \1 applied$/), undefined]);
    const newest = 'id = (select max(id) from drizzle.__drizzle_migrations)';
    await pool().query(
      `update drizzle.__drizzle_migrations set created_at = created_at + 1 where ${newest}`,
    );
    await expect(examineMigrations(pool())).rejects.toMatchObject({
      hint: expect.stringContaining('Install'),
    });
    await pool().query(`delete from drizzle.__drizzle_migrations where ${newest}`);
    expect(await examineMigrations(pool())).toMatchObject({
      fix: expect.stringContaining('millrace migrate'),
    });
  });
});

describe('connections', () => {
  test('20 processes with a pool of 2 fit into the 100 that Postgres allows by default', () => {
    const each = (['api', 'scheduler', 'worker'] as const).map((name) => {
      const { pooled, sessions } = countConnections([name], 2);
      return pooled + sessions;
    });
    expect(each).toEqual([3, 3, 4]);
    const [api = 0, scheduler = 0, worker = 0] = each;
    expect(2 * api + 2 * scheduler + 16 * worker).toBeLessThan(100 - 3);
  });

  test('are added up and compared with what Postgres allows', async () => {
    const { database } = engine.resources;
    expect(await examineConnections(database, { DATABASE_POOL: 10 })).toEqual({
      found: expect.stringContaining('up to 11 per api, 12 per worker, 11 per scheduler process'),
    });
    expect(await examineConnections(database, { DATABASE_POOL: 100 })).toMatchObject({
      fix: expect.stringContaining('Lower DATABASE_POOL (now 100)'),
    });
    const behind = { ...database, pooling: 'transaction' as const };
    expect(await examineConnections(behind, { DATABASE_POOL: 100 })).toEqual({
      found: expect.stringContaining('up to 1 per api, 0 per worker, 1 per scheduler process'),
    });
  });
});

test('a Redis that is old is refused, and one that keeps nothing is doubtful', async () => {
  const saying = (version: string, aof: number) =>
    ({
      info: async () => `# Server\r\nredis_version:${version}\r\naof_enabled:${aof}\r\n`,
    }) as never;
  await expect(examineRedis(saying('6.0.0', 1), false)).rejects.toMatchObject({
    hint: 'Upgrade it to 6.2 or newer.',
  });
  expect(await examineRedis(saying('7.0.0', 1), false)).not.toHaveProperty('fix');
  expect(await examineRedis(saying('7.0.0', 0), false)).toMatchObject({
    fix: expect.stringContaining('appendonly'),
  });
  expect(await examineRedis(saying('7.0.0', 0), true)).not.toHaveProperty('fix');
});

test('without a key to seal with, documents are read all the same', async () => {
  expect(await examineSeal(engine.resources.seal)).not.toHaveProperty('fix');
  expect(await examineSeal(await ensureSeal(configOf({}), undefined))).toMatchObject({
    fix: expect.stringContaining('MILLRACE_SECRET_KEY'),
  });
});

test('room on the disk is measured where a directory will be', async () => {
  const { found } = await examineDisk([join(engine.directory, 'not', 'yet')]);
  expect(found).toMatch(/^\d+\.\d GB free in /);
});

describe('a model server', () => {
  const ask = (url: string) =>
    examineOpenAi(configOf({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'sk-canary' }));

  test('is asked whether it takes the key and has the model', async () => {
    expect(await ask(await serve(200, { data: [{ id: 'gpt-4.1-mini' }] }))).not.toHaveProperty(
      'fix',
    );
    expect(await ask(await serve(200, { data: [{ id: 'llama' }] }))).toMatchObject({
      fix: 'Check OPENAI_MODEL.',
    });
    expect(await ask(await serve(404, {}))).toMatchObject({
      fix: expect.stringContaining('gpt-4.1-mini'),
    });
    const refusal = await ask(await serve(401, {})).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ hint: 'Check OPENAI_API_KEY.' });
    expect(String(refusal)).not.toContain('canary');
    await expect(ask(`http://127.0.0.1:${await freePort()}`)).rejects.toMatchObject({
      hint: 'Check OPENAI_BASE_URL.',
    });
  });
});

describe('Document AI', () => {
  const ask = async (path: string | undefined, url: string) =>
    examineDocumentAi(
      configOf({
        DOCUMENTAI_PROCESSOR: 'projects/p/locations/eu/processors/1',
        DOCUMENTAI_ENDPOINT: new URL(url).host,
        ...(path && { GOOGLE_APPLICATION_CREDENTIALS: path }),
      }),
    );

  test('is reached, with an account that looks like one', async () => {
    const url = await serve(200, {});
    const path = join(engine.directory, 'account.json');
    await writeFile(
      path,
      JSON.stringify({ client_email: 'mill@example.com', private_key: 'canary' }),
    );
    expect(await ask(path, url)).toEqual({ found: expect.stringContaining('as mill@example.com') });
    await writeFile(path, 'no account');
    await expect(ask(path, url)).rejects.toMatchObject({
      message: expect.stringContaining('not a service account'),
    });
    await expect(ask(join(engine.directory, 'none.json'), url)).rejects.toThrow('cannot be read');
    expect(await ask(undefined, url)).toHaveProperty('fix');
    await expect(ask(path, `http://127.0.0.1:${await freePort()}`)).rejects.toThrow(
      'cannot be reached',
    );
  });
});

test('a collector is asked to take nothing', async () => {
  const collector = await startCollector();
  onTestFinished(collector.close);
  expect(await examineCollector(collector.url, 'x-token=a%20b')).toMatchObject({
    found: expect.any(String),
  });
  expect(collector.headers[0]).toMatchObject({ 'x-token': 'a b' });
  await expect(examineCollector(await serve(404, {}))).rejects.toThrow('answered 404');
});
