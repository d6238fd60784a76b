import { Router } from 'express';
import { discardDeadLetter, findDeadLetter, listDeadLetters } from '../../engine/dead-letters.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { replay } from '../../intake/replay.ts';
import type { Routes } from '../context.ts';
import { hrefOf } from '../document-json.ts';
import { callerOf } from '../middleware/authenticate.ts';
import { pageOf, pageQuery } from '../page.ts';
import { idOf, parse } from '../parse.ts';

export const deadLetters: Routes = ({ resources, intake }) => {
  const { db } = resources.database;
  const router = Router();

  router.get('/', async (req, res) => {
    const { cursor, limit } = parse(pageQuery, req.query);
    const { workspaceId } = callerOf(req);
    const page = await pageOf(limit, (most) => listDeadLetters(db, { workspaceId, before: cursor, limit: most }));
    res.json({ deadLetters: page.items, nextCursor: page.nextCursor });
  });

  router.post('/:id/replay', async (req, res) => {
    const { letter, hints } = await replay(db, { id: idOf(req), workspaceId: callerOf(req).workspaceId }, intake);
    const { id, state, documentId, replayedAs } = letter;
    if (state === 'discarded')
      throw new ConflictError('The dead letter was discarded; reprocess its document instead.');
    if (hints) await intake.announce(hints);
    const body = { id, state, replayed: hints !== undefined, replayedAs, documentId, href: hrefOf(documentId) };
    res
      .status(hints ? 202 : 200)
      .location(hrefOf(documentId))
      .json(body);
  });

  router.delete('/:id', async (req, res) => {
    const letter = await findDeadLetter(db, idOf(req), callerOf(req).workspaceId);
    if (!letter) throw new NotFoundError(`There is no dead letter ${idOf(req)}`);
    if (letter.state === 'replayed') throw new ConflictError('The dead letter was replayed already.');
    await discardDeadLetter(db, letter.id);
    res.status(204).end();
  });

  return router;
};
