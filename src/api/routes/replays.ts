import express, { type Request, Router } from 'express';
import { z } from 'zod';
import { endReplay, findReplay, listReplays, type ReplayRow } from '../../db/replays.ts';
import { letterFilters } from '../../domain/letter-filters.ts';
import { requestedOverrides } from '../../domain/overrides.ts';
import { countFitting, groupDeadLetters } from '../../engine/dead-letters/index.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { advanceReplay } from '../../lifecycle/advance-replay.ts';
import { startReplay } from '../../lifecycle/replay-all.ts';
import type { ApiContext, Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId } from '../parse.ts';
import { parseRunOptions } from '../run-again.ts';

export const replaysQuery = pageQuery;
export const replayAllBody = named(
  'ReplayRequest',
  z.strictObject({
    filters: z.strictObject(letterFilters.shape).default({}),
    overrides: requestedOverrides.default({}),
    rate: z
      .number()
      .positive()
      .max(1000)
      .optional()
      .describe('Documents started per second; unlimited when absent'),
    limit: z
      .int()
      .min(1)
      .optional()
      .describe('Maximum number of dead letters; all matching ones when absent'),
    dryRun: z
      .boolean()
      .default(false)
      .describe('Report what would be replayed without replaying it'),
  }),
);

/** Letters replayed before the response is sent; the rest follow in the background. */
const initialLetters = 50;

/** Bulk replays of dead letters, and their progress. */
export const replays: Routes = (context) => {
  const { resources, intake } = context;
  const { db } = resources.database;
  const router = Router().use(express.json({ limit: '64kb' }));

  router.post('/replay-all', async (req, res) => {
    const { dryRun, overrides, filters, rate, limit } = parse(replayAllBody, req.body ?? {});
    const { workspaceId } = requireCaller(req);
    const run = parseRunOptions(context, overrides);
    if (dryRun) {
      const groups = await groupDeadLetters(db, workspaceId, filters, 100);
      return res.json({ dryRun, matching: await countFitting(db, workspaceId, filters), groups });
    }
    const id = await startReplay(db, { workspaceId, filters, rate, limit, ...run });
    await advanceReplay(db, id, intake, initialLetters);
    const replay = replayJson(await findOrThrow(context, id, workspaceId));
    return res
      .status(202)
      .location(replay.href)
      .json({ dryRun, ...replay });
  });

  router.get('/replays', async (req, res) => {
    const { cursor, limit } = parse(replaysQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listReplays(db, { workspaceId, before: cursor, limit: most }),
    );
    res.json({ replays: page.items.map(replayJson), nextCursor: page.nextCursor });
  });

  router.get('/replays/:id', async (req, res) => {
    res.json(replayJson(await requireReplay(context, req)));
  });

  router.delete('/replays/:id', async (req, res) => {
    const { id, state } = await requireReplay(context, req);
    if (state !== 'cancelled' && !(await endReplay(db, id, 'cancelled')))
      throw new ConflictError('The replay has already ended.');
    res.status(204).end();
  });

  return router;
};

function requireReplay(context: ApiContext, req: Request): Promise<ReplayRow> {
  return findOrThrow(context, parseId(req), requireCaller(req).workspaceId);
}

async function findOrThrow(
  { resources }: ApiContext,
  id: string,
  workspaceId: string | undefined,
): Promise<ReplayRow> {
  const replay = await findReplay(resources.database.db, id, workspaceId);
  if (!replay) throw new NotFoundError(`There is no replay ${id}`);
  return replay;
}

function replayJson({ sealedPassword, position, ...fields }: ReplayRow) {
  return { ...fields, href: `/admin/dlq/replays/${fields.id}` };
}
