import { json, Router } from 'express';
import { z } from 'zod';
import { deletePassword, insertPassword, listPasswords } from '../../db/passwords.ts';
import { findWorkspace } from '../../db/workspaces.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId } from '../parse.ts';
import { targetWorkspace } from '../workspace-scope.ts';

export const newPassword = named(
  'NewPassword',
  z.strictObject({
    label: z.string().trim().min(1).max(200).describe('Names it in lists and events'),
    password: z.string().min(1).max(1000).describe('Tried on encrypted files; never returned'),
    workspaceId: z.uuid().optional(),
  }),
);

export const passwords: Routes = ({ resources, defaultWorkspaceId }) => {
  const { database, seal } = resources;
  const { db } = database;
  const router = Router();

  router.post('/', json(), async (req, res) => {
    const { label, password, workspaceId: named } = parse(newPassword, req.body ?? {});
    const workspaceId = targetWorkspace(req, named, defaultWorkspaceId);
    if (!(await findWorkspace(db, workspaceId)))
      throw new NotFoundError(`There is no workspace ${workspaceId}`);
    const sealed = seal.seal(password);
    const made = await insertPassword(db, { workspaceId, label, sealed });
    if (!made) throw new ConflictError(`The workspace already has a password "${label}".`);
    res.status(201).json(made);
  });

  router.get('/', async (req, res) => {
    const { cursor, limit } = parse(pageQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listPasswords(db, { workspaceId, before: cursor, limit: most }),
    );
    res.json({ passwords: page.items, nextCursor: page.nextCursor });
  });

  router.delete('/:id', async (req, res) => {
    const id = parseId(req);
    if (!(await deletePassword(db, id, requireCaller(req).workspaceId)))
      throw new NotFoundError(`There is no password ${id}`);
    res.status(204).end();
  });

  return router;
};
