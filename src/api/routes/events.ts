import { type Request, Router } from 'express';
import { z } from 'zod';
import { beginning, type EventFilter, type EventView, eventsAfter } from '../../db/events.ts';
import { eventType } from '../../domain/event.ts';
import type { Routes } from '../context.ts';
import { cursorSchema, positionText } from '../cursor-schema.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { parse } from '../parse.ts';

export const filters = z.object({
  workspaceId: z.uuid().optional(),
  batchId: z.uuid().optional(),
  documentId: z.uuid().optional(),
  type: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(eventType))
    .optional(),
});
export const page = z.object({
  cursor: cursorSchema.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

/** The event log, oldest first. Use the last cursor to poll for newer events. */
export const events: Routes = ({ resources }) => {
  const { db } = resources.database;
  const router = Router();

  router.get('/', async (req, res) => {
    const { cursor = beginning, limit } = parse(page, req.query);
    const found = await eventsAfter(db, cursor, parseEventFilter(req), limit);
    res.json({ events: found.map(eventJson), nextCursor: positionText(found.at(-1) ?? cursor) });
  });

  return router;
};

/** The requested filter, restricted to the caller's workspace. */
export function parseEventFilter(req: Request): EventFilter {
  const { type, ...filter } = parse(filters, req.query);
  const { workspaceId } = requireCaller(req);
  return { ...filter, types: type, ...(workspaceId !== undefined && { workspaceId }) };
}

export function eventJson(event: EventView) {
  const { xid, id, ...fields } = event;
  return { position: positionText({ xid, id }), ...fields };
}
