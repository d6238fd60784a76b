import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openInstallation, patience } from '../kit/installation.ts';
import { untilGone } from '../kit/processes.ts';

let installation: Awaited<ReturnType<typeof openInstallation>>;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation.close());

/** A worker with a document in hand that keeps it busy for minutes. */
async function busyWorker(grace: string) {
  const worker = installation.start(['worker'], { MILLRACE_SHUTDOWN_GRACE: grace });
  const id = await installation.admitMock({ do: 'spin', ms: 600_000 });
  await installation.running(id, 'transcribe');
  const pid = worker.child.pid ?? 0;
  const children = await vi.waitFor(async () => {
    const found = await childrenOf(pid);
    expect(found).not.toEqual([]);
    return found;
  }, patience);
  return { ...worker, id, children };
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

describe.skipIf(process.platform !== 'linux')(
  'a worker that is told to stop',
  { timeout: 240_000 },
  () => {
    test('hands back what it cannot finish, without an attempt, and leaves no process', async () => {
      const { child, exited, id, children } = await busyWorker('1s');
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
      for (const each of children) await untilGone(each);
      expect(await installation.taskOf(id)).toMatchObject({
        state: 'ready',
        attempts: 0,
        losses: 0,
        leaseOwner: null,
      });
      await installation.resources.database.pool.query("update tasks set not_before = 'infinity'");
    });

    test('twice goes at once, and leaves no process either', async () => {
      const { child, exited, id, children } = await busyWorker('10m');
      child.kill('SIGTERM');
      child.kill('SIGINT');
      expect(await exited).toBe(130);
      for (const each of children) await untilGone(each);
      expect(await installation.taskOf(id)).toMatchObject({ state: 'running', attempts: 0 });
    });
  },
);
