import { Router } from 'express';
import { qualityFigures, stageFigures } from '../../db/statistics.ts';
import type { Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';

/**
 * Figures that an interval job computes; `GET /admin/jobs` shows when it last ran. Those of stages
 * cover all workspaces, so a caller that is bound to one does not see them.
 */
export const statistics: Routes = ({ resources }) => {
  const { db } = resources.database;
  const router = Router();
  router.get('/', async (req, res) => {
    const { workspaceId } = requireCaller(req);
    const stages = workspaceId === undefined ? await stageFigures(db) : [];
    res.json({ stages, quality: await qualityFigures(db, workspaceId) });
  });
  return router;
};
