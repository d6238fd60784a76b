import { json, type Request, Router } from 'express';
import { z } from 'zod';
import {
  findKey,
  listKeys,
  newKeyText,
  parseKeyId,
  revokeKey,
  storeKey,
} from '../../db/api-keys.ts';
import { apiKeys } from '../../db/schema/api-keys.ts';
import { findWorkspace } from '../../db/workspaces.ts';
import { NotFoundError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { parse } from '../parse.ts';
import { assertUnbound, visibleWorkspace } from '../workspace-scope.ts';

export const newKey = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    role: z.enum(apiKeys.role.enumValues).default('user'),
    workspaceId: z.uuid().optional(),
  })
  .refine(({ role, workspaceId }) => role !== 'user' || workspaceId !== undefined, {
    path: ['workspaceId'],
    message: 'is required for a key with the role user',
  });

export const keyRoutes: Routes = ({ resources }) => {
  const { db } = resources.database;
  const router = Router();

  /** The only response that contains the key itself. */
  router.post('/', json(), async (req, res) => {
    const key = parse(newKey, { workspaceId: requireCaller(req).workspaceId, ...req.body });
    if (key.workspaceId === undefined) assertUnbound(req);
    else if (!(await findWorkspace(db, visibleWorkspace(req, key.workspaceId))))
      throw new NotFoundError(`There is no workspace ${key.workspaceId}`);
    const text = newKeyText();
    await storeKey(db, text, key);
    res.status(201).json({ ...(await findKey(db, parseKeyId(text))), key: text });
  });

  router.get('/', async (req, res) => {
    res.json({ keys: await listKeys(db, requireCaller(req).workspaceId) });
  });

  router.delete('/:keyId', async (req: Request<{ keyId: string }>, res) => {
    const { keyId } = req.params;
    const key = await findKey(db, keyId);
    const { workspaceId } = requireCaller(req);
    const visible = key && (workspaceId === undefined || key.workspaceId === workspaceId);
    if (!visible) throw new NotFoundError(`There is no key ${keyId}`);
    await revokeKey(db, keyId);
    res.status(204).end();
  });

  return router;
};
