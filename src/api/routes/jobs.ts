import { Router } from 'express';
import { latestPasses } from '../../db/job-runs.ts';
import { ConflictError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { assertUnbound } from '../workspace-scope.ts';

/** Interval jobs: their latest run, and running one on demand. */
export const jobs: Routes = ({ resources, jobs: { schedule, runOnce } }) => {
  const { db } = resources.database;
  const router = Router();

  router.get('/', async (req, res) => {
    assertUnbound(req);
    const passes = new Map((await latestPasses(db)).map((pass) => [pass.name, pass]));
    const listed = Object.entries(schedule).map(([name, { everyMs }]) => {
      const {
        startedAt = null,
        finishedAt = null,
        succeededAt = null,
        report = null,
        error = null,
      } = passes.get(name) ?? {};
      return { name, everyMs, startedAt, finishedAt, succeededAt, report, error };
    });
    res.json({ jobs: listed });
  });

  router.post('/:name/run', async (req, res) => {
    assertUnbound(req);
    const { name } = req.params;
    const report = await runOnce(name);
    if (!report) throw new ConflictError(`Another process is running ${name} right now.`);
    res.json({ name, report });
  });

  return router;
};
