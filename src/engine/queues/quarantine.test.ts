import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/kit/temporary-directory.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { superviseQuarantine } from './quarantine.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Records that it runs, and runs until it is terminated. A stubborn one ignores SIGTERM. */
const script = `
  process.on('disconnect', () => process.exit());
  if (process.env.STUBBORN) process.on('SIGTERM', () => undefined);
  require('node:fs').appendFileSync(process.env.STARTED, process.pid + '\\n');
  setInterval(() => undefined, 1000);
`;
const patience = { timeout: 20 * SECOND, interval: 20 };

/**
 * A quarantine supervisor with a queue controlled by the test, and the processes it has started so
 * far.
 */
async function supervised({ stubborn = false, processes = 1 } = {}) {
  const STARTED = join(await temporaryDirectory(), 'started');
  const suspects = { waiting: 0 };
  const queue = {
    getJobCounts: async () => ({ wait: suspects.waiting, active: 0, prioritized: 0, delayed: 0 }),
  };
  const supervisor = superviseQuarantine({
    queue,
    processes,
    command: [process.execPath, '-e', script],
    env: { STARTED, ...(stubborn && { STUBBORN: '1' }) },
    log: pino({ level: 'silent' }),
  });
  const started = async () =>
    (await readFile(STARTED, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);
  return {
    suspects,
    started,
    supervisor,
    /** The supervisor checks every two seconds. */
    checks: (count: number) => vi.advanceTimersByTimeAsync(count * 2 * SECOND),
    running: (count: number) =>
      vi.waitFor(async () => expect(await started()).toHaveLength(count), patience),
    gone: (pid = 0) => vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), patience),
  };
}

test('a process is kept while suspects wait: one, and another when it died', async () => {
  const { suspects, supervisor, started, checks, running, gone } = await supervised();
  await checks(3);
  expect(await started()).toEqual([]);
  suspects.waiting = 2;
  await checks(1);
  await running(1);
  await checks(3);
  expect(await started()).toHaveLength(1);
  const [first = 0] = await started();
  process.kill(first, 'SIGKILL');
  await gone(first);
  await vi.waitFor(async () => {
    await checks(1);
    expect(await started()).toHaveLength(2);
  }, patience);
  await supervisor.stop(MINUTE);
  await gone((await started())[1]);
});

test('there is one process per suspect, up to the limit', async () => {
  const { suspects, supervisor, checks, running, started, gone } = await supervised({
    processes: 3,
  });
  suspects.waiting = 2;
  await checks(1);
  await running(2);
  suspects.waiting = 45;
  await checks(3);
  await running(3);
  await supervisor.stop(MINUTE);
  for (const pid of await started()) await gone(pid);
});

test('it ends when no suspect was there for a while, and not while one comes now and then', async () => {
  const { suspects, supervisor, started, checks, running, gone } = await supervised();
  suspects.waiting = 1;
  await checks(1);
  await running(1);
  for (const waiting of [0, 1, 0]) {
    suspects.waiting = waiting;
    await checks(14);
  }
  const [pid = 0] = await started();
  expect(process.kill(pid, 0)).toBe(true);
  await checks(2);
  await gone(pid);
  await supervisor.stop(MINUTE);
});

test('one that does not stop within the grace period is killed', async () => {
  const { suspects, supervisor, started, checks, running, gone } = await supervised({
    stubborn: true,
  });
  suspects.waiting = 1;
  await checks(1);
  await running(1);
  await supervisor.stop(20);
  await gone((await started())[0]);
});
