import { json, type Request, Router } from 'express';
import { z } from 'zod';
import {
  type Caller,
  findKey,
  listKeys,
  newKeyText,
  parseKeyId,
  revokeKey,
  storeKey,
} from '../../db/api-keys.ts';
import { apiKeys } from '../../db/schema/api-keys.ts';
import { findWorkspace } from '../../db/workspaces.ts';
import { isInScope, reviewerScopes, type Scope, scopes } from '../../domain/scope.ts';
import { NotFoundError } from '../../errors.ts';
import { DAY } from '../../lib/time.ts';
import type { Routes } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { audit } from '../middleware/audit.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { parse } from '../parse.ts';
import { assertUnbound, visibleWorkspace } from '../workspace-scope.ts';

export const newKey = named(
  'NewKey',
  z
    .strictObject({
      name: z.string().trim().min(1).max(200),
      role: z
        .enum([...apiKeys.role.enumValues, 'reviewer'])
        .default('user')
        .describe('`reviewer` is a user whose scopes cover only the review of documents'),
      workspaceId: z.uuid().optional(),
      scopes: z
        .array(z.enum(scopes))
        .min(1)
        .optional()
        .describe('Restricts the key to these; writing includes reading'),
      requestsPerMinute: z.int().min(1).max(1_000_000).optional(),
      expiresInDays: z.int().min(1).max(3650).optional().describe('The key expires after this'),
    })
    .transform(({ role, ...key }) =>
      role === 'reviewer'
        ? { ...key, role: 'user' as const, scopes: key.scopes ?? [...reviewerScopes] }
        : { ...key, role },
    )
    .refine(({ role, workspaceId }) => role !== 'user' || workspaceId !== undefined, {
      path: ['workspaceId'],
      message: 'is required for a key with the role user or reviewer',
    }),
);

export const keyRoutes: Routes = ({ resources }) => {
  const { db } = resources.database;
  const router = Router();

  /** The only response that contains the key itself. */
  router.post('/', json(), async (req, res) => {
    const key = parse(newKey, { workspaceId: requireCaller(req).workspaceId, ...req.body });
    if (key.workspaceId === undefined) assertUnbound(req);
    else if (!(await findWorkspace(db, visibleWorkspace(req, key.workspaceId))))
      throw new NotFoundError(`There is no workspace ${key.workspaceId}`);
    assertNoMore(requireCaller(req), key.scopes);
    const text = newKeyText();
    const id = parseKeyId(text);
    const { expiresInDays, ...fields } = key;
    const expiresAt = expiresInDays ? new Date(Date.now() + expiresInDays * DAY) : undefined;
    const made = await db.transaction(async (tx) => {
      await storeKey(tx, text, { ...fields, expiresAt });
      const { workspaceId } = key;
      await audit(tx, req, { id, workspaceId, details: { ...key }, status: 201 });
      return findKey(tx, id);
    });
    res.status(201).json({ ...made, key: text });
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
    await db.transaction(async (tx) => {
      await revokeKey(tx, keyId);
      await audit(tx, req, { id: keyId, workspaceId: key.workspaceId, status: 204 });
    });
    res.status(204).end();
  });

  return router;
};

/** A key with scopes cannot make itself another one that may do more. */
function assertNoMore(caller: Caller, wanted: readonly Scope[] | undefined): void {
  if (caller.scopes === null || wanted?.every((each) => isInScope(caller.scopes, each))) return;
  throw new HttpError('A key with scopes can only create keys with the same or fewer scopes.', {
    status: 403,
    code: 'SCOPE_MISSING',
    hint: `This key has: ${caller.scopes.join(', ')}.`,
  });
}
