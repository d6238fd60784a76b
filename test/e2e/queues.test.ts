import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openInstallation, patience } from '../kit/installation.ts';

let installation: Awaited<ReturnType<typeof openInstallation>>;
beforeAll(async () => {
  installation = await openInstallation();
});
afterEach(() => installation.stop());
afterAll(() => installation.close());

const startProcess = (...args: string[]) => installation.start(args);
const admit = async (name: string) =>
  installation.admitNew(
    await readFile(fileURLToPath(new URL(`../../samples/${name}`, import.meta.url))),
    name,
  );
const completed = (id: string) => installation.completed(id);
const running = (id: string, stage: string) => installation.running(id, stage);

describe('worker processes', () => {
  test('each with its own stages carry a document through', { timeout: 240_000 }, async () => {
    startProcess('worker', '--stages', 'claim,extract,finalize');
    startProcess('worker', '--stages', 'transcribe,preprocess');
    const id = await admit('poor-scan.png');
    await completed(id);
    const trail = await installation.trailOf(id);
    expect(trail.slice(0, 4)).toEqual([
      'claim:single',
      'transcribe:illegible',
      'preprocess:cleaned',
      'transcribe:readable',
    ]);
    const workers = new Set(
      (await installation.eventsOf(id)).map(({ data }) => data.worker).filter(Boolean),
    );
    expect(workers.size).toBe(2);
  });

  test('killed by -9 in the middle lose nothing', { timeout: 240_000 }, async () => {
    startProcess('scheduler');
    const first = startProcess('worker');
    const ids = [await admit('pages.tiff'), await admit('invoice.pdf'), await admit('letter.txt')];
    const [long = ''] = ids;
    await running(long, 'transcribe');
    first.child.kill('SIGKILL');
    startProcess('worker');
    await Promise.all(ids.map(completed));
    const trail = await installation.trailOf(long);
    expect(trail).toContain('transcribe:lost');
    // On a busy machine a lease of two seconds may be lost once more, by a worker that nobody killed.
    expect(trail.filter((step) => !step.endsWith(':lost'))).toEqual([
      'claim:single',
      'transcribe:readable',
      expect.stringMatching(/^extract:/),
      'finalize:finalized',
    ]);
    const losses = trail.filter((step) => step.endsWith(':lost')).length;
    expect(await installation.taskOf(long)).toMatchObject({ attempts: 0, losses, suspect: false });
  });

  test('told to stop hand back what they cannot finish, without an attempt', {
    timeout: 240_000,
  }, async () => {
    const worker = startProcess('worker');
    const id = await admit('pages.tiff');
    await running(id, 'transcribe');
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    expect(await installation.taskOf(id)).toMatchObject({
      attempts: 0,
      losses: 0,
      leaseOwner: null,
    });
  });

  test('find everything again after Redis was flushed', { timeout: 240_000 }, async () => {
    const ids = await Promise.all([admit('letter.txt'), admit('invoice.pdf')]);
    const mine = await installation.redis.keys(`*${installation.prefix}*`);
    await installation.redis.del(mine);
    startProcess('scheduler');
    startProcess('worker');
    await Promise.all(ids.map(completed));
  });

  test('drop jobs that point at nothing and go on', { timeout: 240_000 }, async () => {
    const claim = installation.queues.byStage.get('claim');
    const garbage = [
      null,
      'text',
      42,
      { taskId: 'x' },
      { taskId: '00000000-0000-7000-8000-000000000000', epoch: 0 },
    ];
    for (const data of garbage) await claim?.add('claim', data as never);
    startProcess('scheduler');
    startProcess('worker');
    await completed(await admit('letter.txt'));
    await vi.waitFor(
      async () => expect(await claim?.getJobCountByTypes('wait', 'active', 'failed')).toBe(0),
      patience,
    );
  });
});
