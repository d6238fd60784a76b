import { Router } from 'express';
import { findTask } from '../../db/tasks.ts';
import { explain } from '../../engine/explain.ts';
import { NotFoundError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { parseId } from '../parse.ts';

/** Tasks of any kind of subject, for operators: where one is, and what it waits for. */
export const tasks: Routes = ({ resources, queues }) => {
  const router = Router();
  router.get('/:id', async (req, res) => {
    const id = parseId(req);
    const task = await findTask(resources.database.db, id, requireCaller(req).workspaceId);
    const why = task && (await explain(resources, queues, { kind: 'task', id }));
    if (!task || !why) throw new NotFoundError(`There is no task ${id}`);
    res.json({ ...task, why });
  });
  return router;
};

export function taskHref(id: string): string {
  return `/admin/tasks/${id}`;
}
