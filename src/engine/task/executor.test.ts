import { setTimeout } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { drain } from '../../../test/kit/drain.ts';
import { openTestEngine } from '../../../test/kit/engine.ts';
import { noChild } from '../../../test/kit/no-child.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { tasks } from '../../db/schema/tasks.ts';
import { BusyError, PermanentError } from '../../errors.ts';
import { sweepLapsedLeases } from '../../jobs/sweep-stale-claims.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { complete, done, type Outcome, snooze } from '../pipeline/outcome.ts';
import { definePipeline, end, step } from '../pipeline/pipeline.ts';
import { defineStage, type StageContext } from '../pipeline/stage.ts';
import { endIngestion, insertTask } from './effects.ts';
import { runTask } from './executor.ts';
import type { Runner } from './runner.ts';
import { longestWaitMs } from './take.ts';
import type { StageDocument } from './task.ts';

type Behaviour = (document: StageDocument, context: StageContext) => Promise<Outcome<'on'>>;

/** What the second stage does with a document, by the document's name. */
const behaviours = new Map<string, Behaviour>();
const claim = defineStage({ run: async () => done('on') });
const work = defineStage({
  timeoutMs: 5 * SECOND,
  run: (document, context) =>
    behaviours.get(document.name)?.(document, context) ?? Promise.resolve(done('on')),
});
const pipeline = definePipeline({
  claim: step(claim, { on: 'work' }),
  work: step(work, { on: end }),
});

let engine: Awaited<ReturnType<typeof openTestEngine>>;
beforeAll(async () => {
  engine = await openTestEngine(pipeline);
});
afterAll(() => engine.close());

async function admitted(name: string, behaviour: Behaviour) {
  behaviours.set(name, behaviour);
  const { documentId } = await engine.admit('text', name);
  return documentId;
}

/** Advances a document to the second stage and leaves its task waiting there. */
async function atWork(name: string, behaviour: Behaviour) {
  const documentId = await admitted(name, behaviour);
  const { id, epoch } = await engine.taskOf(documentId);
  await runTask(engine.runnerWith(), 'claim', { taskId: id, epoch }, { inChild: noChild });
  return { documentId, ...(await engine.taskOf(documentId)) };
}

const admission = { first: 'claim', giveUpMs: SECOND };

const lapseOf = (taskId: string) =>
  engine.resources.database.pool.query(
    "update tasks set lease_until = now() - interval '1 millisecond' where id = $1",
    [taskId],
  );

/** Expires every lease. */
const lapse = () =>
  engine.resources.database.pool.query(
    "update tasks set lease_until = now() - interval '1 millisecond' where state = 'running'",
  );

const sweep = ({ policy, failSubject }: Runner) =>
  sweepLapsedLeases(engine.resources.database.pool, {
    policy,
    failSubject,
    leaseMs: 0,
    admission,
    limit: 100,
  });

describe('a task', () => {
  test('that completes its ingestion does so with others, unless its lease is gone', async () => {
    const completing = ['one.txt', 'late.txt', 'two.txt'];
    const waiting = [];
    for (const name of completing) waiting.push(await atWork(name, async () => complete('on')));
    const runner = engine.runnerWith();
    const settle: typeof runner.settle = async (settlement) => {
      if (settlement.task.document?.name === 'late.txt') await lapseOf(settlement.task.id);
      return runner.settle(settlement);
    };
    const runs = waiting.map(({ id, epoch }) =>
      runTask({ ...runner, settle }, 'work', { taskId: id, epoch }, { inChild: noChild }),
    );
    expect(await Promise.all(runs)).toEqual(['settled', 'lost', 'settled']);
    const statuses = await Promise.all(
      waiting.map(({ documentId }) => engine.ingestionOf(documentId)),
    );
    expect(statuses.map(({ status }) => status)).toEqual(['completed', 'in-progress', 'completed']);
    const [one] = waiting;
    const last = (await engine.eventsOf(one?.documentId ?? '')).at(-1);
    expect(last).toMatchObject({
      type: 'DOCUMENT_PROCESSED',
      data: { documentId: one?.documentId, status: 'completed' },
    });
  });

  test('goes from stage to stage and ends', async () => {
    const documentId = await admitted('plain.txt', async () => done('on'));
    await drain(engine.runnerWith());
    expect(await engine.trailOf(documentId)).toEqual(['claim:on', 'work:on']);
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'done',
      attempts: 0,
      leaseOwner: null,
    });
  });

  test('saves in the transaction that moves it: both or neither', async () => {
    const { documentId, id, epoch } = await atWork('unsaved.txt', async () =>
      done('on', async (tx) => {
        await tx
          .insert(tasks)
          .values({ id, ingestionId: id, stage: 'claim', giveUpAt: new Date() });
      }),
    );
    expect(
      await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild }),
    ).toBe('settled');
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'ready',
      stage: 'work',
      attempts: 1,
    });
    expect(await engine.trailOf(documentId)).toEqual(['claim:on', 'work:retry']);
  });

  test('whose result Postgres refuses fails with the reason, and without what was to be written', async () => {
    const { documentId, id, epoch } = await atWork('nul.txt', async () =>
      done('on', (tx) =>
        tx
          .update(ingestions)
          .set({ structuredData: { secret: 'a\0b' } })
          .where(eq(ingestions.id, id)),
      ),
    );
    await runTask(
      engine.runnerWith({ maxAttempts: 1 }),
      'work',
      { taskId: id, epoch },
      { inChild: noChild },
    );
    const [letter] = await engine.deadLettersOf(documentId);
    expect(letter).toMatchObject({ code: 'INTERNAL', category: 'exhausted' });
    expect(letter?.message).toBe(
      'The result could not be written: unsupported Unicode escape sequence',
    );
    expect(JSON.stringify(letter)).not.toContain('secret');
  });

  test('that stands in the way of another is settled all the same', async () => {
    const { documentId, id, epoch } = await atWork('crossed.txt', async () => done('on'));
    const runner = engine.runnerWith();
    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    let asked = 0;
    const settle: typeof runner.settle = (settlement) => {
      asked += 1;
      return asked === 1
        ? Promise.reject(new Error('Failed query', { cause: deadlock }))
        : runner.settle(settlement);
    };
    await runTask({ ...runner, settle }, 'work', { taskId: id, epoch }, { inChild: noChild });
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'done', attempts: 0 });
  });

  test('whose work directory cannot be made fails with the reason', async () => {
    const { documentId, id, epoch } = await atWork('nowhere.txt', async (_, { workDirectory }) => {
      await workDirectory();
      return done('on');
    });
    vi.stubEnv('TMPDIR', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild });
    const { state, lastError } = await engine.taskOf(documentId);
    expect({ state, lastError }).toMatchObject({
      state: 'ready',
      lastError: { message: expect.stringContaining('ENOENT') },
    });
  });

  test('that throws is tried again after a while, and dies when its attempts are used up', async () => {
    const { documentId, id } = await atWork('throws.txt', async () => {
      throw new Error('the disk is on fire');
    });
    for (let attempt = 1; attempt <= 3; attempt++) {
      const { epoch, attempts } = await engine.taskOf(documentId);
      expect(attempts).toBe(attempt - 1);
      await engine.resources.database.pool.query(
        'update tasks set not_before = now() where id = $1',
        [id],
      );
      await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild });
    }
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'dead', attempts: 3 });
    expect(await engine.ingestionOf(documentId)).toMatchObject({
      status: 'failed',
      attemptCount: 3,
      problems: [{ code: 'INTERNAL', message: 'the disk is on fire' }],
    });
    expect(await engine.documentOf(documentId)).toMatchObject({ needsHumanReview: true });
    expect(await engine.deadLettersOf(documentId)).toMatchObject([
      { stage: 'work', code: 'INTERNAL', category: 'exhausted', attempts: 3, state: 'open' },
    ]);
  });

  test('that fails is not due at once', async () => {
    const { documentId, id, epoch } = await atWork('later.txt', async () => {
      throw new Error('not yet');
    });
    await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild });
    const waiting = await engine.taskOf(documentId);
    expect(waiting).toMatchObject({ state: 'ready', attempts: 1, announcedAt: null });
    expect(
      await runTask(
        engine.runnerWith(),
        'work',
        { taskId: id, epoch: waiting.epoch },
        { inChild: noChild },
      ),
    ).toBe('stale');
  });

  test('that can never succeed dies at once, with its reason', async () => {
    const { documentId, id, epoch } = await atWork('broken.pdf', async () => {
      throw new PermanentError('INVALID_FILE', 'no PDF');
    });
    await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild });
    expect(await engine.deadLettersOf(documentId)).toMatchObject([
      { code: 'INVALID_FILE', category: 'rejected' },
    ]);
  });

  test.each([
    ['snooze', async () => snooze(30 * SECOND, 'window full')],
    [
      'BusyError',
      async (): Promise<Outcome<'on'>> => {
        throw new BusyError('429', 30 * SECOND);
      },
    ],
  ] as const)('that must wait (%s) costs no attempt', async (kind, behaviour) => {
    const { documentId, id, epoch } = await atWork(`${kind}.txt`, behaviour);
    await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild });
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'ready',
      attempts: 0,
      postponed: 1,
    });
  });

  test('that waited longer than allowed gives up', async () => {
    const { documentId, id, epoch } = await atWork('forever.txt', async () =>
      snooze(30 * SECOND, 'still busy'),
    );
    await engine.resources.database.pool.query(
      'update tasks set give_up_at = now() where id = $1',
      [id],
    );
    await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild });
    expect(await engine.deadLettersOf(documentId)).toMatchObject([
      { code: 'GAVE_UP_WAITING', category: 'gave-up' },
    ]);
  });

  test('that runs over its time is cut off, even when it ignores its signal', async () => {
    const { documentId, id, epoch } = await atWork('slow.txt', () => new Promise(() => undefined));
    const runner = engine.runnerWith({ overrides: { work: { timeoutMs: 20 } } });
    await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild });
    expect(await engine.taskOf(documentId)).toMatchObject({
      attempts: 1,
      lastError: { code: 'TOO_SLOW' },
    });
  });

  test('that waits for a place that others hold is not charged for that time', async () => {
    const places = new Semaphore(1);
    await places.acquire();
    const { documentId, id, epoch } = await atWork('patient.txt', () =>
      places.hold(undefined, async () => done('on')),
    );
    const runner = engine.runnerWith({ overrides: { work: { timeoutMs: SECOND } } });
    const run = runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild });
    await setTimeout(1.5 * SECOND);
    places.release();
    await run;
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'done', attempts: 0 });
  });

  test('that waits for a place for too long waits in the queue instead', async () => {
    const { documentId, id, epoch } = await atWork('impatient.txt', () => {
      const forever = new Semaphore(0).hold(undefined, async () => done('on'));
      vi.advanceTimersByTime(longestWaitMs);
      return forever;
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild });
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'ready',
      attempts: 0,
      lastError: { message: 'No sandbox process became free within 15 min' },
    });
  });

  test('is handed back without an attempt when the process ends', async () => {
    const runner = engine.runnerWith();
    const { documentId, id, epoch } = await atWork('released.txt', () => {
      runner.leases.releaseAll();
      return new Promise(() => undefined);
    });
    await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild });
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'ready',
      stage: 'work',
      attempts: 0,
    });
  });
});

describe('the fence', () => {
  test('of two workers with the same hint one gets the task', async () => {
    const { id, epoch } = await atWork('twice.txt', async () => done('on'));
    const runner = engine.runnerWith();
    const other = engine.runnerWith();
    const results = await Promise.all(
      [runner, runner, other, other].map((each) =>
        runTask(each, 'work', { taskId: id, epoch }, { inChild: noChild }),
      ),
    );
    expect(results.sort()).toEqual(['settled', 'stale', 'stale', 'stale']);
  });

  test('a lease that lapsed, not yet swept: the late result is refused', async () => {
    const { documentId, id, epoch } = await atWork('lapsed.txt', async () => {
      await lapse();
      return done('on');
    });
    expect(
      await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild }),
    ).toBe('lost');
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'running', epoch: epoch + 1 });
  });

  test('a lease that lapsed and was swept: the late result is refused, the loss makes it a suspect', async () => {
    const runner = engine.runnerWith();
    const { documentId, id, epoch } = await atWork('swept.txt', async () => {
      await lapse();
      await sweep(runner);
      return done('on');
    });
    expect(await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild })).toBe('lost');
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'ready',
      attempts: 0,
      losses: 1,
      suspect: true,
      epoch: epoch + 2,
    });
  });

  test('a lease that was taken over: the second worker decides', async () => {
    const runner = engine.runnerWith();
    const other = engine.runnerWith();
    let runs = 0;
    const { documentId, id, epoch } = await atWork('taken-over.txt', async () => {
      runs += 1;
      if (runs > 1) return done('on');
      await lapse();
      await sweep(runner);
      await engine.resources.database.pool.query(
        'update tasks set not_before = now() where id = $1',
        [id],
      );
      expect(
        await runTask(
          other,
          'work',
          { taskId: id, epoch: epoch + 2 },
          { inChild: noChild, alone: true },
        ),
      ).toBe('settled');
      return done('on');
    });
    expect(await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild })).toBe('lost');
    expect(await engine.trailOf(documentId)).toEqual(['claim:on', 'work:lost', 'work:on']);
  });

  test('a lease that another holds now: the late result is refused, and the holder goes on', async () => {
    const runner = engine.runnerWith();
    const { documentId, id, epoch } = await atWork('held.txt', async () => {
      await lapse();
      await sweep(runner);
      await runner.take({
        taskId: id,
        epoch: epoch + 2,
        stage: 'work',
        timeoutMs: MINUTE,
        alone: true,
      });
      return done('on');
    });
    expect(await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild })).toBe('lost');
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'running', epoch: epoch + 3 });
  });

  test('a hint from before the last change of hands is dropped', async () => {
    let runs = 0;
    const { documentId, id, epoch } = await atWork('old-hint.txt', async () => {
      runs += 1;
      throw new Error('once more');
    });
    const runner = engine.runnerWith();
    await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild });
    await engine.resources.database.pool.query(
      'update tasks set not_before = now() where id = $1',
      [id],
    );
    expect(await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild })).toBe(
      'stale',
    );
    expect(runs).toBe(1);
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'ready', attempts: 1 });
  });

  test('a forged hint that names the epoch of a running lease is dropped', async () => {
    const { documentId, id, epoch } = await atWork('forged.txt', async () => done('on'));
    const runner = engine.runnerWith();
    await runner.take({ taskId: id, epoch, stage: 'work', timeoutMs: MINUTE, alone: false });
    expect(
      await runTask(runner, 'work', { taskId: id, epoch: epoch + 1 }, { inChild: noChild }),
    ).toBe('stale');
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'running', epoch: epoch + 1 });
  });

  test('a hint in the queue of another stage is dropped', async () => {
    const { documentId, id, epoch } = await atWork('elsewhere.txt', async () => done('on'));
    expect(
      await runTask(engine.runnerWith(), 'claim', { taskId: id, epoch }, { inChild: noChild }),
    ).toBe('stale');
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'ready', stage: 'work', epoch });
  });

  test('a commit whose answer was lost counts once', async () => {
    const runner = engine.runnerWith();
    let calls = 0;
    const settle: typeof runner.settle = async (settlement) => {
      const result = await runner.settle(settlement);
      calls += 1;
      if (calls === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      return result;
    };
    const { documentId, id, epoch } = await atWork('lost-answer.txt', async () => done('on'));
    expect(
      await runTask({ ...runner, settle }, 'work', { taskId: id, epoch }, { inChild: noChild }),
    ).toBe('lost');
    expect(await engine.trailOf(documentId)).toEqual(['claim:on', 'work:on']);
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'done', attempts: 0 });
  });

  test('a take whose answer was lost costs a lease, not an attempt', async () => {
    const runner = engine.runnerWith();
    const take: typeof runner.take = async (request) => {
      await runner.take(request);
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    const { documentId, id, epoch } = await atWork('lost-take.txt', async () => done('on'));
    await expect(
      runTask({ ...runner, take }, 'work', { taskId: id, epoch }, { inChild: noChild }),
    ).rejects.toThrow(/ECONNRESET/);
    await lapse();
    await sweep(runner);
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'ready',
      attempts: 0,
      losses: 1,
      epoch: epoch + 2,
    });
  });

  test('an epoch that is given out twice, as after a crash of Postgres, belongs to the owner of the lease', async () => {
    const { documentId, id, epoch } = await atWork('twice.txt', async () => {
      await engine.resources.database.pool.query(
        "update tasks set lease_owner = 'another' where id = $1",
        [id],
      );
      return done('on');
    });
    expect(
      await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild }),
    ).toBe('lost');
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'running',
      leaseOwner: 'another',
    });
  });

  test('work whose lease is gone is aborted at the next renewal', async () => {
    const runner = engine.runnerWith();
    const { documentId, id, epoch } = await atWork('aborted.txt', async (_, { signal }) => {
      await lapse();
      await runner.leases.renew();
      signal.throwIfAborted();
      return done('on');
    });
    expect(await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild })).toBe('lost');
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'running' });
  });

  test('a document that kills its worker when it is alone dies of it', async () => {
    const { documentId, id } = await atWork('poison.txt', async () => done('on'));
    const { pool } = engine.resources.database;
    const runner = engine.runnerWith();
    for (let loss = 1; loss <= 3; loss++) {
      const { epoch } = await engine.taskOf(documentId);
      await pool.query('update tasks set not_before = now() where id = $1', [id]);
      await runner.take({ taskId: id, epoch, stage: 'work', timeoutMs: SECOND, alone: true });
      await lapse();
      await sweep(runner);
    }
    expect(await engine.taskOf(documentId)).toMatchObject({ state: 'dead', losses: 3 });
    expect(await engine.ingestionOf(documentId)).toMatchObject({ status: 'failed' });
  });

  test('a loss of what follows an ingestion that has ended changes nothing about it', async () => {
    let runs = 0;
    const { documentId, id } = await atWork('followed.txt', async () => {
      runs += 1;
      if (runs === 1) throw new Error('once more');
      return done('on', (tx) => endIngestion(tx, ingestionId, { status: 'completed' }));
    });
    const { pool, db } = engine.resources.database;
    const { id: ingestionId } = await engine.ingestionOf(documentId);
    const runner = engine.runnerWith();
    for (let run = 0; run < 2; run++) {
      await pool.query('update tasks set not_before = now() where id = $1', [id]);
      const { epoch } = await engine.taskOf(documentId);
      await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild });
    }
    const { taskId, epoch } = await insertTask(db, {
      subject: { kind: 'ingestion', id: ingestionId, workspaceId: engine.workspaceId },
      stage: 'work',
      giveUpMs: MINUTE,
    });
    await runner.take({ taskId, epoch, stage: 'work', timeoutMs: SECOND, alone: false });
    await lapse();
    await sweep(runner);
    expect(await engine.ingestionOf(documentId)).toMatchObject({
      status: 'completed',
      attemptCount: 1,
    });
  });

  test('a suspect is taken only by a process that has nothing else to do, and cleared when it passes', async () => {
    const { documentId, id } = await atWork('suspect.txt', async () => {
      if ((await engine.taskOf(documentId)).alone) return done('on');
      throw new Error('not alone');
    });
    await engine.resources.database.pool.query('update tasks set suspect = true where id = $1', [
      id,
    ]);
    const { epoch } = await engine.taskOf(documentId);
    const runner = engine.runnerWith();
    expect(await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild })).toBe(
      'stale',
    );
    expect(
      await runTask(runner, 'work', { taskId: id, epoch }, { inChild: noChild, alone: true }),
    ).toBe('settled');
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'done',
      attempts: 0,
      alone: false,
    });
  });

  test("losses while Postgres was away are nobody's fault", async () => {
    const { documentId, id, epoch } = await atWork('outage.txt', async () => done('on'));
    const { pool } = engine.resources.database;
    const runner = engine.runnerWith();
    await runner.take({ taskId: id, epoch, stage: 'work', timeoutMs: SECOND, alone: true });
    await lapse();
    await sweepLapsedLeases(pool, {
      policy: runner.policy,
      failSubject: runner.failSubject,
      leaseMs: 24 * 3600 * SECOND,
      admission,
      limit: 100,
    });
    expect(await engine.taskOf(documentId)).toMatchObject({
      state: 'ready',
      attempts: 0,
      losses: 1,
      suspect: false,
    });
  });

  test('the database refuses to change what is final', async () => {
    const { id, epoch } = await atWork('final.txt', async () => done('on'));
    await runTask(engine.runnerWith(), 'work', { taskId: id, epoch }, { inChild: noChild });
    const { pool } = engine.resources.database;
    await expect(
      pool.query("update tasks set last_error = '{}' where id = $1", [id]),
    ).rejects.toThrow(/final/);
  });
});
