import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { newKeyText } from '../../src/db/api-keys.ts';
import { countConnections } from '../../src/db/connections.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { runCli } from '../kit/cli.ts';
import { createTestDatabase } from '../kit/database.ts';
import { openInstallation, patience } from '../kit/installation.ts';
import { hasPgBouncer, startPgBouncer } from '../kit/pgbouncer.ts';

const sample = (name: string) => readFile(new URL(`../../samples/${name}`, import.meta.url));
const size = 8;

async function startPooler(databaseUrl: string) {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-pgbouncer-'));
  const bouncer = await startPgBouncer({ directory, databaseUrl, mode: 'transaction', size });
  onTestFinished(async () => {
    await bouncer.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return bouncer;
}

describe.skipIf(!hasPgBouncer)('behind PgBouncer with pool_mode = transaction', () => {
  test('documents are carried through, also while it restarts', { timeout: 400_000 }, async () => {
    const installation = await openInstallation();
    onTestFinished(installation.close);
    const { admitNew, completed, resources, url: directUrl } = installation;
    const { pool } = resources.database;
    const bouncer = await startPooler(directUrl);
    const [port, key] = [await freePort(), newKeyText()];
    const env = {
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: directUrl,
      DATABASE_POOL: '2',
      MILLRACE_PORT: String(port),
      MILLRACE_API_KEY: key,
    };
    for (const role of ['api', 'scheduler', 'worker']) installation.start([role], env);
    const first = await admitNew(await sample('poor-scan.png'), 'poor-scan.png');
    await completed(first);
    const ids = [first, await admitNew(await sample('invoice.pdf'), 'invoice.pdf')];
    for (let i = 0; i < 60; i++) {
      ids.push(await admitNew(`Letter ${i}`, `letter-${i}.txt`));
      if (i % 20 === 10) await bouncer.restart();
    }
    await Promise.all(ids.map(completed));
    expect(await checkInvariants(pool)).toEqual([]);
    const passes = async () => {
      const { rows } = await pool.query('select name from job_runs where succeeded_at is not null');
      expect(rows.length).toBeGreaterThan(10);
    };
    await vi.waitFor(passes, patience);
    // Past the pooler go only the locks: at most one connection each of the API and the scheduler.
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'millrace'`,
    );
    const ours = resources.database.pool.totalCount;
    const { sessions } = countConnections(['api', 'scheduler'], 2);
    expect(rows[0]?.count).toBeLessThanOrEqual(ours + size + sessions);
    const ready = async () =>
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    await vi.waitFor(ready, patience);
    const { code, stdout } = await runCli(['doctor'], { ...installation.env, ...env });
    expect(stdout).toMatch(/pooler: shares connections between transactions/);
    expect(stdout).toMatch(/ALTER ROLE \w+ SET statement_timeout/);
    expect(code).toBe(0);
  });

  test('migrations go past it; without a way past it, processes do not start', {
    timeout: 120_000,
  }, async () => {
    const database = await createTestDatabase(async () => undefined);
    onTestFinished(database.drop);
    const { url } = await startPooler(database.url);
    const env = { DATABASE_URL: url, REDIS_URL: inject('redisUrl') };
    const refused = await runCli(['migrate'], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Set DATABASE_DIRECT_URL');
    const direct = { ...env, DATABASE_DIRECT_URL: database.url };
    const both = await Promise.all([runCli(['migrate'], direct), runCli(['migrate'], direct)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both[0]?.stdout).toContain('the database is up to date');
  });
});
