import { json, type Request, Router } from 'express';
import { z } from 'zod';
import type { Batch } from '../../db/batches.ts';
import type { Db } from '../../db/index.ts';
import { itemKinds } from '../../domain/batch-ledger.ts';
import { releaseHeld } from '../../engine/budget/release.ts';
import { batchActions as actions } from '../../lifecycle/batch/actions.ts';
import { cancelDocuments } from '../../lifecycle/batch/cancel-documents.ts';
import { changeBatch } from '../../lifecycle/batch/change.ts';
import { startBatch } from '../../lifecycle/batch/start.ts';
import { storedCeiling } from '../ceiling.ts';
import type { Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { parse, parseId, readIdempotencyKey } from '../parse.ts';
import { startRefusal } from '../start-refusal.ts';
import { answerBatch, maxCost, priority, requireBatch } from './batches.ts';

export const nothing = named('Nothing', z.strictObject({}));
export const finishing = named(
  'FinishBatch',
  z.strictObject({
    items: z
      .int()
      .min(0)
      .max(2 ** 31 - 1)
      .optional(),
  }),
);
export const cancelling = named(
  'CancelBatch',
  z.strictObject({ mode: z.enum(['full', 'partial']).default('full') }),
);
export const item = named(
  'BatchItem',
  z.strictObject({
    kind: z.enum(itemKinds).default('exception'),
    name: z.string().min(1).max(1000),
    reason: z.string().min(1).max(2000),
  }),
);
export const changing = named(
  'BatchChange',
  z
    .strictObject({ priority: priority.optional(), maxCost: maxCost.optional() })
    .refine((given) => Object.keys(given).length > 0, 'must contain at least one field'),
);

/** Actions on a batch. One that the batch's state does not allow is a 409 with the reason. */
export const batchActions: Routes = (context) => {
  const { resources, intake } = context;
  const { db, pool } = resources.database;
  const router = Router();

  const change = async (req: Request, act: (tx: Db, batch: Batch) => Promise<unknown>) => {
    const reference = { id: parseId(req), workspaceId: requireCaller(req).workspaceId };
    const { batch, hints } = await changeBatch(db, reference, intake, act);
    await intake.announce(hints);
    return batch;
  };
  const post = <Details extends z.ZodType>(
    path: string,
    details: Details,
    act: (tx: Db, batch: Batch, details: z.infer<Details>, req: Request) => Promise<unknown>,
  ) => {
    router.post(`/:id/${path}`, json(), async (req, res) => {
      const given = parse(details, req.body ?? {});
      await answerBatch(context, res, await change(req, (tx, batch) => act(tx, batch, given, req)));
    });
  };

  post('pause', nothing, actions.pause);
  post('resume', nothing, actions.resume);
  post('finish', finishing, actions.finish);
  post('items', item, (tx, batch, given, req) =>
    actions.note(tx, batch, { ...given, idempotencyKey: readIdempotencyKey(req) }),
  );

  router.post('/:id/start', json(), async (req, res) => {
    parse(nothing, req.body ?? {});
    const reference = { id: parseId(req), workspaceId: requireCaller(req).workspaceId };
    const started = await startBatch(db, reference, intake);
    if (started.result !== 'continue') throw startRefusal(started);
    await intake.announce(started.hints);
    await answerBatch(context, res, started.batch);
  });

  router.patch('/:id', json(), async (req, res) => {
    const given = parse(changing, req.body ?? {});
    const maxCostMicros = storedCeiling(given.maxCost);
    const batch = await change(req, async (tx, found) => {
      if (given.priority !== undefined)
        await actions.prioritise(tx, found, { priority: given.priority });
      if (maxCostMicros !== undefined) await actions.limit(tx, found, { maxCostMicros });
    });
    const { dailyBudgetMicros } = resources.settings;
    await releaseHeld(pool, { workspaceId: batch.workspaceId, dailyBudgetMicros });
    await answerBatch(context, res, batch);
  });

  router.post('/:id/cancel', json(), async (req, res) => {
    const given = parse(cancelling, req.body ?? {});
    const batch = await change(req, (tx, found) => actions.cancel(tx, found, given));
    await cancelDocuments(db, batch, intake);
    res.status(202);
    await answerBatch(context, res, await requireBatch(context, req));
  });

  return router;
};
