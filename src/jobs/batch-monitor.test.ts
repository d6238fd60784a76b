import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestBatches } from '../../test/kit/batches.ts';
import { lockWorkspaces } from '../engine/admission/admission.ts';
import { MINUTE, SECOND } from '../lib/time.ts';
import { fillWorkspaces } from './batch-monitor.ts';
import { releaseIdle } from './stuck-batches.ts';

let kit: Awaited<ReturnType<typeof openTestBatches>>;
beforeAll(async () => {
  kit = await openTestBatches();
});
afterAll(() => kit.close());

const release = () => releaseIdle(kit.db, kit.intake, MINUTE);
const stands = (id: string) =>
  kit.pool.query("update batches set progress_at = now() - interval '2 minutes' where id = $1", [
    id,
  ]);

async function waitingForLocks(): Promise<number> {
  const { rowCount } = await kit.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount ?? 0;
}

describe('a batch where nothing has happened for the grace period', () => {
  test('keeps the turn while nobody waits for it', async () => {
    const { id } = await kit.create();
    await kit.start(id);
    await stands(id);
    expect(await release()).toBe(0);
    expect(await kit.find(id)).toMatchObject({ state: 'active' });
    await kit.finish(id);
  });

  test('keeps the turn while one of its documents is under way, and goes on when resumed', async () => {
    const [slow, waiting] = [await kit.create(), await kit.create()];
    await kit.add(slow.id, 'slow.txt');
    for (const { id } of [slow, waiting]) await kit.start(id);
    await stands(slow.id);
    expect(await release()).toBe(0);
    await kit.settle();
    await stands(slow.id);
    expect(await release()).toBe(1);
    expect(await kit.find(waiting.id)).toMatchObject({ state: 'active' });
    expect(await kit.resume(slow.id)).toMatchObject({ state: 'queued' });
    await kit.finish(waiting.id);
    expect(await kit.finish(slow.id)).toMatchObject({ state: 'completed', completed: 1 });
  });

  test('keeps the turn when something happens to it while the release waits', async () => {
    const [moving, waiting] = [await kit.create(), await kit.create()];
    for (const { id } of [moving, waiting]) await kit.start(id);
    await stands(moving.id);
    let releasing: Promise<number> | undefined;
    await kit.db.transaction(async (tx) => {
      await lockWorkspaces(tx, [moving.workspaceId]);
      releasing = release();
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), {
        timeout: 8 * SECOND,
      });
      await kit.pool.query('update batches set progress_at = now() where id = $1', [moving.id]);
    });
    expect(await releasing).toBe(0);
    expect(await kit.find(moving.id)).toMatchObject({ state: 'active' });
    for (const { id } of [moving, waiting]) await kit.finish(id);
  });
});

test('a turn that nobody has is given to the batch that waits', async () => {
  const { id } = await kit.create();
  await kit.start(id);
  // As if the process that ended the previous batch had died in between.
  await kit.pool.query("update batches set state = 'queued', turn_at = null where id = $1", [id]);
  await fillWorkspaces(kit.db, kit.intake);
  expect(await kit.find(id)).toMatchObject({ state: 'active' });
  await kit.finish(id);
});
