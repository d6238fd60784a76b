import { Router } from 'express';
import { explain } from '../../engine/explain.ts';
import { NotFoundError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { requireDocument } from './documents.ts';

export const why: Routes = (context) => {
  const router = Router();
  router.get('/:id/why', async (req, res) => {
    const { id, status } = await requireDocument(context, req);
    const answer = await explain(context.resources, context.queues, { kind: 'document', id });
    if (!answer) throw new NotFoundError(`There is no document ${id}`);
    res.json({ id, status, ...answer });
  });
  return router;
};
