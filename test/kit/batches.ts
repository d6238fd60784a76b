import { Readable } from 'node:stream';
import { asc, eq } from 'drizzle-orm';
import { type Batch, findBatch } from '../../src/db/batches.ts';
import { events } from '../../src/db/schema/events.ts';
import { done, type Outcome } from '../../src/engine/pipeline/outcome.ts';
import { definePipeline, end, type Pipeline, step } from '../../src/engine/pipeline/pipeline.ts';
import { defineStage } from '../../src/engine/pipeline/stage.ts';
import type { StageDocument } from '../../src/engine/task/task.ts';
import { openIntake } from '../../src/intake/intake.ts';
import { upload } from '../../src/intake/upload.ts';
import { pushBatches } from '../../src/jobs/batch-monitor.ts';
import { HOUR } from '../../src/lib/time.ts';
import { batchActions } from '../../src/lifecycle/batch/actions.ts';
import { changeBatch } from '../../src/lifecycle/batch/change.ts';
import { createBatch, type NewBatch } from '../../src/lifecycle/batch/create.ts';
import { finalize } from '../../src/workers/finalize.ts';
import { drain } from './drain.ts';
import { openTestEngine } from './engine.ts';

type Behaviour = (document: StageDocument) => Promise<Outcome<'on'>>;

/** An engine with two stages, or other ones, and the operations on batches. */
export async function openTestBatches(
  other?: Pipeline,
  resources?: Parameters<typeof openTestEngine>[1],
) {
  /** What the first stage does with a document, by document name. */
  const behaviours = new Map<string, Behaviour>();
  const claim = defineStage({
    run: (document) => behaviours.get(document.name)?.(document) ?? Promise.resolve(done('on')),
  });
  const pipeline = definePipeline({
    claim: step(claim, { on: 'finalize' }),
    finalize: step(finalize, { finalized: end }),
  });
  const engine = await openTestEngine(other ?? pipeline, resources);
  const { db, pool } = engine.resources.database;
  const intake = openIntake(db, {
    first: 'claim',
    giveUpMs: HOUR,
    maxBytes: 2 ** 20,
    announce: async () => undefined,
  });
  const act =
    <Details extends unknown[]>(
      action: (
        tx: Parameters<typeof createBatch>[0],
        batch: Batch,
        ...details: Details
      ) => Promise<unknown>,
    ) =>
    async (id: string, ...details: Details) =>
      (await changeBatch(db, { id }, intake, (tx, batch) => action(tx, batch, ...details))).batch;
  const find = async (id: string) => {
    const batch = await findBatch(db, id);
    if (!batch) throw new Error(`No batch ${id}`);
    return batch;
  };
  return {
    ...engine,
    db,
    pool,
    pipeline,
    intake,
    behaviours,
    find,
    create: async (batch: Partial<NewBatch> = {}) =>
      (
        await createBatch(db, {
          workspaceId: engine.workspaceId,
          name: 'import',
          type: 'FILES',
          ...batch,
        })
      ).batch,
    start: act(batchActions.start),
    finish: (id: string, items?: number) => act(batchActions.finish)(id, { items }),
    pause: act(batchActions.pause),
    resume: act(batchActions.resume),
    prioritise: (id: string, priority: number) => act(batchActions.prioritise)(id, { priority }),
    cancel: (id: string, mode: 'full' | 'partial' = 'full') =>
      act(batchActions.cancel)(id, { mode }),
    note: act(batchActions.note),
    add: (
      batchId: string | undefined,
      name: string,
      body: string | Buffer = name,
      idempotencyKey?: string,
    ) =>
      upload(engine.resources, intake, {
        workspaceId: engine.workspaceId,
        batchId,
        name,
        idempotencyKey,
        body: Readable.from([Buffer.from(body)]),
      }),
    /** Runs everything that is due. Failed tasks that wait for a retry become due at once. */
    async settle() {
      const runner = engine.runnerWith();
      do {
        await drain(runner);
      } while (
        (await pool.query("update tasks set not_before = now() where state = 'ready'")).rowCount
      );
    },
    push: () => pushBatches(db, intake),
    eventsOfBatch: async (batchId: string) => {
      const rows = await db
        .select()
        .from(events)
        .where(eq(events.batchId, batchId))
        .orderBy(asc(events.id));
      return rows.map(({ type }) => type);
    },
    /** Tasks that are ready or running. */
    liveTasks: async () =>
      Number(
        (await pool.query("select count(*) from tasks where state in ('ready', 'running')")).rows[0]
          .count,
      ),
    setWindow: (maxInFlight: number, workspaceId = engine.workspaceId) =>
      pool.query('update workspaces set max_in_flight = $1 where id = $2', [
        maxInFlight,
        workspaceId,
      ]),
  };
}
