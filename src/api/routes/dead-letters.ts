import express, { type Request, Router } from 'express';
import { z } from 'zod';
import { letterFilters } from '../../domain/letter-filters.ts';
import { findHint } from '../../domain/problem.ts';
import {
  type DeadLetter,
  discardDeadLetter,
  findDeadLetter,
  groupDeadLetters,
  listDeadLetters,
} from '../../engine/dead-letters/index.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { type ReplayOutcome, replay } from '../../lifecycle/replay.ts';
import type { ApiContext, Routes } from '../context.ts';
import { documentHref } from '../document-json.ts';
import { letterJson } from '../letter-json.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId } from '../parse.ts';
import { parseRunOptions, runAgain } from '../run-again.ts';
import { taskHref } from './tasks.ts';

export const listQuery = pageQuery.extend({
  ...letterFilters.shape,
  state: z.enum(['open', 'replayed', 'discarded']).default('open'),
});
export const groupQuery = z.object({ ...letterFilters.shape, limit: pageQuery.shape.limit });

/** The `detail` of a replay, by outcome. */
const explanations: Record<ReplayOutcome, string> = {
  replayed: 'The work was queued for another run.',
  'already-replayed': 'Nothing was done: the dead letter was already replayed.',
  discarded: 'Nothing was done: the dead letter was discarded. Reprocess the document instead.',
  'under-way': 'Nothing was done: the document is already being processed.',
  'succeeded-since': 'Nothing was done: a later run of the document succeeded.',
};

export const deadLetters: Routes = (context) => {
  const { resources, intake } = context;
  const { db } = resources.database;
  const router = Router().use(express.json({ limit: '64kb' }));

  router.get('/', async (req, res) => {
    const { cursor, limit, state, ...filters } = parse(listQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listDeadLetters(db, { workspaceId, filters, state, before: cursor, limit: most }),
    );
    res.json({ deadLetters: page.items.map(letterJson), nextCursor: page.nextCursor });
  });

  router.get('/groups', async (req, res) => {
    const { limit, ...filters } = parse(groupQuery, req.query);
    const groups = await groupDeadLetters(db, requireCaller(req).workspaceId, filters, limit);
    res.json({ groups: groups.map((group) => ({ ...group, hint: findHint(group.code) })) });
  });

  router.get('/:id', async (req, res) => {
    res.json(letterJson(await requireLetter(context, req)));
  });

  router.post('/:id/replay', async (req, res) => {
    const run = parseRunOptions(context, parse(runAgain, req.body ?? {}).overrides);
    const reference = { id: parseId(req), workspaceId: requireCaller(req).workspaceId };
    const { letter, outcome, hints } = await replay(db, reference, intake, run);
    await intake.announce(hints);
    const { id, state, subject, documentId, taskId, replayedAs } = letter;
    const href = documentId === null ? taskHref(replayedAs ?? taskId) : documentHref(documentId);
    const body = {
      id,
      state,
      outcome,
      detail: explanations[outcome],
      replayedAs,
      subject,
      documentId,
      href,
    };
    res
      .status(outcome === 'replayed' ? 202 : 200)
      .location(href)
      .json(body);
  });

  router.delete('/:id', async (req, res) => {
    const letter = await requireLetter(context, req);
    if (letter.state === 'replayed')
      throw new ConflictError('The dead letter was already replayed.');
    await discardDeadLetter(db, letter.id);
    res.status(204).end();
  });

  return router;
};

async function requireLetter({ resources }: ApiContext, req: Request): Promise<DeadLetter> {
  const letter = await findDeadLetter(
    resources.database.db,
    parseId(req),
    requireCaller(req).workspaceId,
  );
  if (!letter) throw new NotFoundError(`There is no dead letter ${parseId(req)}`);
  return letter;
}
