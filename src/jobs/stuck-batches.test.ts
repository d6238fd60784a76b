import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestBatches } from '../../test/kit/batches.ts';
import { HOUR } from '../lib/time.ts';
import { releaseUnmoving, resumeMoving } from './stuck-batches.ts';

let kit: Awaited<ReturnType<typeof openTestBatches>>;
beforeAll(async () => {
  kit = await openTestBatches();
});
afterAll(() => kit.close());

const release = () => releaseUnmoving(kit.db, kit.intake, 6 * HOUR);
const resume = () => resumeMoving(kit.db, kit.intake);
const ages = (id: string, hours: number) =>
  kit.pool.query("update batches set progress_at = now() - $2 * interval '1 hour' where id = $1", [
    id,
    hours,
  ]);

describe('a batch whose documents in progress do not end', () => {
  let stuck: string;
  let waiting: string;
  beforeEach(async () => {
    [stuck, waiting] = [(await kit.create()).id, (await kit.create()).id];
    await kit.setWindow(1);
    for (const name of ['one', 'two']) await kit.add(stuck, `${name}.txt`, `${name} ${stuck}`);
    await kit.start(stuck);
    await kit.finish(stuck);
  });

  test('gives up the turn, its documents continue, and it queues again when one has ended', async () => {
    await kit.start(waiting);
    await ages(stuck, 5);
    expect(await release()).toBe(0);
    await ages(stuck, 7);
    expect(await release()).toBe(1);
    expect(await kit.find(stuck)).toMatchObject({
      state: 'paused',
      turnAt: null,
      stuckAt: expect.any(Date),
    });
    expect(await kit.find(waiting)).toMatchObject({ state: 'active' });
    expect(await kit.eventsOfBatch(stuck)).toContain('BATCH_RELEASED');
    expect(await resume()).toBe(0);
    expect(await kit.liveTasks()).toBe(1);

    await kit.settle();
    expect(await kit.find(stuck)).toMatchObject({ completed: 1, open: 1 });
    expect(await resume()).toBe(1);
    expect(await kit.find(stuck)).toMatchObject({ state: 'queued', stuckAt: null });
    await kit.finish(waiting);
    await kit.settle();
    expect(await kit.find(stuck)).toMatchObject({ state: 'completed', completed: 2 });
  });

  test('keeps the turn while its documents end, and while nobody waits', async () => {
    await ages(stuck, 7);
    expect(await release()).toBe(0);
    await kit.start(waiting);
    await kit.settle();
    expect(await release()).toBe(0);
    await kit.finish(waiting);
  });

  test('stays paused when a person paused it', async () => {
    await kit.start(waiting);
    await kit.pause(stuck);
    await kit.settle();
    expect(await resume()).toBe(0);
    expect(await kit.find(stuck)).toMatchObject({ state: 'paused' });
    await kit.finish(waiting);
    await kit.resume(stuck);
    await kit.settle();
  });
});
