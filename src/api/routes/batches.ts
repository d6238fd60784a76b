import { json, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { readBatchProgress } from '../../db/batch-progress.ts';
import { type Batch, findBatch, listBatches } from '../../db/batches.ts';
import { isBatchHeld } from '../../db/legal-holds.ts';
import { batchStates, batchTypes } from '../../domain/batch.ts';
import { dollars } from '../../domain/money.ts';
import { documentType } from '../../domain/overrides.ts';
import { NotFoundError } from '../../errors.ts';
import { createBatch } from '../../lifecycle/batch/create.ts';
import { batchHref, batchJson } from '../batch-json.ts';
import { storedCeiling } from '../ceiling.ts';
import type { ApiContext, Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId, readIdempotencyKey } from '../parse.ts';
import { targetWorkspace } from '../workspace-scope.ts';

export const priority = z.int().min(0).max(1000);
export const maxCost = dollars.nullable();
export const newBatch = named(
  'NewBatch',
  z.strictObject({
    name: z.string().trim().min(1).max(500),
    type: z.enum(batchTypes).default('MANUAL'),
    priority: priority.optional(),
    maxRedrives: z.int().min(0).max(10).optional(),
    documentType: documentType
      .optional()
      .describe('Type of all documents in the batch; detected per document when absent'),
    noOcr: z
      .boolean()
      .optional()
      .describe('Read its documents without OCR: only the text stored in the files is used'),
    maxCost: maxCost.optional(),
    workspaceId: z.uuid().optional(),
  }),
);
export const listQuery = pageQuery.extend({ state: z.enum(batchStates).optional() });

export const batches: Routes = (context) => {
  const { db } = context.resources.database;
  const router = Router();

  router.post('/', json(), async (req, res) => {
    const { workspaceId, maxCost: ceiling, ...rest } = parse(newBatch, req.body ?? {});
    const { batch, created } = await createBatch(db, {
      ...rest,
      maxCostMicros: storedCeiling(ceiling),
      workspaceId: targetWorkspace(req, workspaceId, context.defaultWorkspaceId),
      idempotencyKey: readIdempotencyKey(req),
    });
    res
      .status(created ? 201 : 200)
      .location(batchHref(batch.id))
      .json(batchJson(batch));
  });

  router.get('/', async (req, res) => {
    const { cursor, limit, state } = parse(listQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listBatches(db, { workspaceId, state, before: cursor, limit: most }),
    );
    res.json({ batches: page.items.map((batch) => batchJson(batch)), nextCursor: page.nextCursor });
  });

  router.get('/:id', async (req, res) => {
    await answerBatch(context, res, await requireBatch(context, req));
  });

  return router;
};

/** The batch named in the path. Throws a 404 if the caller may not see it. */
export async function requireBatch({ resources }: ApiContext, req: Request): Promise<Batch> {
  const id = parseId(req);
  const batch = await findBatch(resources.database.db, id, requireCaller(req).workspaceId);
  if (!batch) throw new NotFoundError(`There is no batch ${id}`);
  return batch;
}

export async function answerBatch(
  { resources }: ApiContext,
  res: Response,
  batch: Batch,
): Promise<void> {
  const { db } = resources.database;
  const [progress, legalHold] = await Promise.all([
    readBatchProgress(db, batch),
    isBatchHeld(db, batch.workspaceId, batch.id),
  ]);
  res.json({ ...batchJson(batch, progress), legalHold });
}
