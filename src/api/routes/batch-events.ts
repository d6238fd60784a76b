import { type Request, Router } from 'express';
import { z } from 'zod';
import { followBatch } from '../../db/batch-events.ts';
import { monotonicNow, SECOND } from '../../lib/time.ts';
import type { Routes } from '../context.ts';
import { write } from '../write.ts';
import { requireBatch } from './batches.ts';

export const position = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0);

/** A comment is sent this often, so that proxies do not close a quiet connection. */
const heartbeatMs = 15 * SECOND;

/** Streams the events of a batch (server-sent events). */
export const batchEvents: Routes = (context) => {
  const { db } = context.resources.database;
  const router = Router();

  router.get('/:id/events', async (req, res) => {
    const batch = await requireBatch(context, req);
    const disconnected = new AbortController();
    res.once('close', () => disconnected.abort());
    const signal = AbortSignal.any([disconnected.signal, context.closing]);
    res.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }).flushHeaders();
    let lastWriteAt = monotonicNow();
    for await (const event of followBatch(db, batch.id, { after: lastEventId(req), signal })) {
      if (!event && monotonicNow() - lastWriteAt < heartbeatMs) continue;
      lastWriteAt = monotonicNow();
      const { id, type, at, data } = event ?? {};
      await write(
        res,
        event ? `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ at, ...data })}\n\n` : ':\n\n',
      );
    }
    res.end();
  });

  return router;
};

/** Where a reconnecting client resumes. Browsers send the header automatically. */
function lastEventId(req: Request): number {
  return position.parse(req.get('Last-Event-ID') ?? req.query.after ?? 0);
}
