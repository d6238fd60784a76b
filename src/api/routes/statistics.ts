import { Router } from 'express';
import { qualityFigures, stageFigures } from '../../db/statistics.ts';
import type { Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';

/** Figures that an interval job computes; `GET /admin/jobs` shows when it last ran. */
export const statistics: Routes = ({ resources }) => {
  const { db } = resources.database;
  const router = Router();
  router.get('/', async (req, res) => {
    const { workspaceId } = requireCaller(req);
    res.json({ stages: await stageFigures(db), quality: await qualityFigures(db, workspaceId) });
  });
  return router;
};
