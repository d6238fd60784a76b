import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { openInstallation, patience } from '../kit/installation.ts';
import { untilGone } from '../kit/processes.ts';

let installation: Awaited<ReturnType<typeof openInstallation>>;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation.close());

const query = async (sql: string) => (await installation.resources.database.pool.query(sql)).rows;

/** Documents that are suspected of having killed the worker that read them. */
async function admitSuspects(count: number, ms: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const mock = { 'millrace-mock': [{ do: 'sleep', ms }], number: newId() };
    ids.push((await installation.admit(JSON.stringify(mock), 'mock.json')).documentId);
  }
  await query("update documents set media_type = 'application/x-millrace-mock+json'");
  await query(
    "update tasks set suspect = true, stage = 'transcribe', announced_at = null where state = 'ready'",
  );
  return ids;
}

const running = "state = 'running' and stage = 'transcribe' and suspect";
const owners = async (): Promise<string[]> =>
  (await query(`select distinct lease_owner as owner from tasks where ${running}`)).map(
    ({ owner }) => owner,
  );

async function quarantinesOf(pid = 0): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = children.split(' ').filter(Boolean).map(Number);
  const commands = await Promise.all(
    pids.map((each) => readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, i) => commands[i]?.includes('quarantine'));
}

describe.skipIf(process.platform !== 'linux')('the quarantine', { timeout: 300_000 }, () => {
  test('suspects run at once, each alone in its process', async () => {
    installation.start(['scheduler']);
    const worker = installation.start(['worker'], { MILLRACE_QUARANTINE_PROCESSES: '3' });
    const ids = await admitSuspects(6, 4000);
    await vi.waitFor(async () => expect(await owners()).toHaveLength(3), patience);
    expect(await query(`select from tasks where ${running}`)).toHaveLength(3);
    await Promise.all(ids.map((id) => installation.completed(id)));
    worker.child.kill('SIGTERM');
    await worker.exited;
  });

  test('a process for suspects ends with its parent, and hands back what it had', async () => {
    const worker = installation.start(['worker'], {
      MILLRACE_QUARANTINE_PROCESSES: '2',
      MILLRACE_SHUTDOWN_GRACE: '10m',
    });
    const ids = await admitSuspects(2, 600_000);
    await vi.waitFor(async () => expect(await owners()).toHaveLength(2), patience);
    const orphans = await quarantinesOf(worker.child.pid);
    expect(orphans).toHaveLength(2);
    worker.child.kill('SIGKILL');
    for (const pid of orphans) await untilGone(pid);
    for (const id of ids)
      expect(await installation.taskOf(id)).toMatchObject({
        state: 'ready',
        stage: 'transcribe',
        attempts: 0,
        leaseOwner: null,
      });
  });
});
