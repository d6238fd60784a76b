import { json, type Request, Router } from 'express';
import { z } from 'zod';
import { findBatch } from '../../db/batches.ts';
import { findDocument } from '../../db/documents.ts';
import { appendEvent } from '../../db/events.ts';
import type { Db } from '../../db/index.ts';
import {
  findHold,
  type HoldTarget,
  type LegalHold,
  listHolds,
  releaseHold,
  setHold,
} from '../../db/legal-holds.ts';
import { findWorkspace } from '../../db/workspaces.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { audit } from '../middleware/audit.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId } from '../parse.ts';

const reason = z.string().trim().min(1).max(2000);
export const newHold = named(
  'NewLegalHold',
  z
    .strictObject({
      workspaceId: z.uuid().optional(),
      batchId: z.uuid().optional(),
      documentId: z.uuid().optional(),
      reason,
    })
    .refine(
      (hold) => [hold.workspaceId, hold.batchId, hold.documentId].filter(Boolean).length === 1,
      'Give exactly one of workspaceId, batchId and documentId.',
    ),
);
export const release = named('LegalHoldRelease', z.strictObject({ reason }));
export const holdsQuery = pageQuery.extend({
  active: z.enum(['true', 'false']).default('true').describe('false = released ones too'),
});

export const legalHolds: Routes = ({ resources }) => {
  const { db } = resources.database;
  const router = Router();

  router.post('/', json(), async (req, res) => {
    const { reason: why, ...named } = parse(newHold, req.body ?? {});
    const target = await findTarget(db, named, requireCaller(req).workspaceId);
    const by = requireCaller(req).keyId;
    const hold = await db.transaction(async (tx) => {
      const made = await setHold(tx, target, { reason: why, by });
      await appendEvent(tx, 'LEGAL_HOLD_SET', null, eventData(made));
      const { id, workspaceId } = made;
      await audit(tx, req, { id, workspaceId, details: { ...named, reason: why }, status: 201 });
      return made;
    });
    res.status(201).location(`/admin/legal-holds/${hold.id}`).json(hold);
  });

  router.get('/', async (req, res) => {
    const { cursor, limit, active } = parse(holdsQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listHolds(db, { workspaceId, active: active === 'true', before: cursor, limit: most }),
    );
    res.json({ legalHolds: page.items, nextCursor: page.nextCursor });
  });

  router.get('/:id', async (req, res) => {
    res.json(await requireHold(db, req));
  });

  router.post('/:id/release', json(), async (req, res) => {
    const { reason: why } = parse(release, req.body ?? {});
    const { id } = await requireHold(db, req);
    const by = requireCaller(req).keyId;
    const hold = await db.transaction(async (tx) => {
      const released = await releaseHold(tx, id, { reason: why, by });
      if (!released) throw new ConflictError('The legal hold was already released.');
      await appendEvent(tx, 'LEGAL_HOLD_RELEASED', null, eventData(released));
      const { workspaceId } = released;
      await audit(tx, req, { id, workspaceId, details: { reason: why } });
      return released;
    });
    res.json(hold);
  });

  return router;
};

async function requireHold(db: Db, req: Request): Promise<LegalHold> {
  const id = parseId(req);
  const hold = await findHold(db, id, requireCaller(req).workspaceId);
  if (!hold) throw new NotFoundError(`There is no legal hold ${id}`);
  return hold;
}

interface Named {
  workspaceId?: string | undefined;
  batchId?: string | undefined;
  documentId?: string | undefined;
}

/** Throws a 404 if the target does not exist, or the caller may not see it. */
async function findTarget(db: Db, named: Named, own: string | undefined): Promise<HoldTarget> {
  const { workspaceId, batchId, documentId } = named;
  const found = documentId
    ? await findDocument(db, documentId, own)
    : batchId
      ? await findBatch(db, batchId, own)
      : await findOwnWorkspace(db, workspaceId ?? '', own);
  if (!found) throw new NotFoundError(`There is no ${describe(named)}`);
  return { workspaceId: found.workspaceId, batchId, documentId };
}

async function findOwnWorkspace(db: Db, id: string, own: string | undefined) {
  if (own !== undefined && own !== id) return undefined;
  return (await findWorkspace(db, id)) && { workspaceId: id };
}

function describe({ workspaceId, batchId, documentId }: Named): string {
  if (documentId) return `document ${documentId}`;
  return batchId ? `batch ${batchId}` : `workspace ${workspaceId}`;
}

function eventData({ id, workspaceId, batchId, documentId }: LegalHold) {
  return {
    holdId: id,
    workspaceId,
    ...(batchId && { batchId }),
    ...(documentId && { documentId }),
  };
}
