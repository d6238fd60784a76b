import { Router } from 'express';
import { z } from 'zod';
import { listAudit } from '../../db/audit.ts';
import type { Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { parse } from '../parse.ts';

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export const auditQuery = z.object({
  since: moment.optional().describe('Entries from this time on'),
  until: moment.optional().describe('Entries before this time'),
  actor: z.string().max(200).optional().describe('Id of the key'),
  targetId: z.string().max(200).optional().describe('Id of the document, key or other target'),
  workspaceId: z.uuid().optional(),
  cursor: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

/** The audit log, newest first. Bound administrators see their workspace only. */
export const audit: Routes = ({ resources }) => {
  const { db } = resources.database;
  const router = Router();
  router.get('/', async (req, res) => {
    const { cursor, limit, workspaceId, ...filter } = parse(auditQuery, req.query);
    const own = requireCaller(req).workspaceId;
    const found = await listAudit(db, {
      ...filter,
      workspaceId: own ?? workspaceId,
      before: cursor,
      limit: limit + 1,
    });
    const entries = found.slice(0, limit);
    const last = entries.at(-1);
    res.json({ entries, nextCursor: found.length > limit && last ? String(last.id) : null });
  });
  return router;
};
