import { json, Router } from 'express';
import { z } from 'zod';
import { spentToday } from '../../db/accounts.ts';
import { isBatchHeld } from '../../db/legal-holds.ts';
import { storedBytes } from '../../db/storage-use.ts';
import {
  createWorkspace,
  findWorkspace,
  listWorkspaces,
  updateWorkspace,
  type Workspace,
} from '../../db/workspaces.ts';
import { dollars } from '../../domain/money.ts';
import { releaseHeld } from '../../engine/budget/release.ts';
import { NotFoundError } from '../../errors.ts';
import { fillWorkspace } from '../../lifecycle/batch/change.ts';
import { storedCeiling } from '../ceiling.ts';
import type { Routes } from '../context.ts';
import { audit } from '../middleware/audit.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId } from '../parse.ts';
import { workspaceJson } from '../workspace-json.ts';
import { assertUnbound, visibleWorkspace } from '../workspace-scope.ts';

export const settings = named(
  'WorkspaceChange',
  z.strictObject({
    name: z.string().trim().min(1).max(200).optional(),
    maxInFlight: z.int().min(1).max(100_000).optional(),
    defaultPriority: z.int().min(0).max(1000).optional(),
    dailyBudget: dollars.nullable().optional(),
    retentionDays: z.int().min(1).max(36_500).nullable().optional(),
    requestsPerMinute: z.int().min(1).max(1_000_000).nullable().optional(),
    storageQuotaBytes: z.int().min(0).nullable().optional(),
  }),
);

/** What a workspace may use up of the installation: not for those inside it to decide. */
const grants = ['dailyBudget', 'maxInFlight', 'requestsPerMinute', 'storageQuotaBytes'] as const;
export const newWorkspace = named('NewWorkspace', settings.required({ name: true }));

export const workspaces: Routes = ({ resources, intake }) => {
  const { db, pool } = resources.database;
  const withDetails = async (workspace: Workspace) => {
    const [spentMicros, legalHold, stored] = await Promise.all([
      spentToday(db, workspace.id),
      isBatchHeld(db, workspace.id),
      storedBytes(db, workspace.id),
    ]);
    return workspaceJson(workspace, { spentMicros, legalHold, storedBytes: stored });
  };
  const router = Router();

  router.post('/', json(), async (req, res) => {
    assertUnbound(req);
    const { dailyBudget, ...rest } = parse(newWorkspace, req.body);
    const workspace = await db.transaction(async (tx) => {
      const made = await createWorkspace(tx, {
        ...rest,
        dailyBudgetMicros: storedCeiling(dailyBudget),
      });
      const { id } = made;
      await audit(tx, req, { id, workspaceId: id, details: { ...rest, dailyBudget }, status: 201 });
      return made;
    });
    res
      .status(201)
      .location(`/admin/workspaces/${workspace.id}`)
      .json(await withDetails(workspace));
  });

  router.get('/', async (req, res) => {
    const { cursor, limit } = parse(pageQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, async (most) => {
      if (workspaceId === undefined) return listWorkspaces(db, { after: cursor, limit: most });
      const own = await findWorkspace(db, workspaceId);
      return own && !cursor ? [own] : [];
    });
    res.json({
      workspaces: page.items.map((each) => workspaceJson(each)),
      nextCursor: page.nextCursor,
    });
  });

  router.get('/:id', async (req, res) => {
    const id = visibleWorkspace(req, parseId(req));
    res.json(await withDetails(orNotFound(await findWorkspace(db, id), id)));
  });

  router.patch('/:id', json(), async (req, res) => {
    const id = visibleWorkspace(req, parseId(req));
    const { dailyBudget, ...rest } = parse(settings, req.body);
    const given = { ...rest, dailyBudget };
    if (grants.some((name) => given[name] !== undefined)) assertUnbound(req);
    const changes = { ...rest, dailyBudgetMicros: storedCeiling(dailyBudget) };
    const workspace = await db.transaction(async (tx) => {
      const updated = orNotFound(await updateWorkspace(tx, id, changes), id);
      await audit(tx, req, { id, workspaceId: id, details: given });
      return updated;
    });
    await releaseHeld(pool, {
      workspaceId: id,
      dailyBudgetMicros: resources.settings.dailyBudgetMicros,
    });
    await intake.announce(await fillWorkspace(db, id, intake));
    res.json(await withDetails(workspace));
  });

  return router;
};

function orNotFound<T>(workspace: T | undefined, id: string): T {
  if (workspace === undefined) throw new NotFoundError(`There is no workspace ${id}`);
  return workspace;
}
