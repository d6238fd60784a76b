import { type Request, Router } from 'express';
import { z } from 'zod';
import { followBatch } from '../../db/batch-events.ts';
import { monotonicNow, SECOND } from '../../lib/time.ts';
import type { Routes } from '../context.ts';
import { write } from '../write.ts';
import { requireBatch } from './batches.ts';

export const position = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0);

/** So often something is sent when nothing happens, or the connection would be taken for dead. */
const heartbeatMs = 15 * SECOND;

/** What happens in a batch, as it happens (server-sent events). */
export const batchEvents: Routes = (context) => {
  const { db } = context.resources.database;
  const router = Router();

  router.get('/:id/events', async (req, res) => {
    const batch = await requireBatch(context, req);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, context.closing]);
    res.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }).flushHeaders();
    let spokeAt = monotonicNow();
    for await (const fact of followBatch(db, batch.id, { after: lastEventId(req), signal })) {
      if (!fact && monotonicNow() - spokeAt < heartbeatMs) continue;
      spokeAt = monotonicNow();
      const { id, type, at, data } = fact ?? {};
      await write(
        res,
        fact ? `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ at, ...data })}\n\n` : ':\n\n',
      );
    }
    res.end();
  });

  return router;
};

/** Where a reader that was cut off goes on; a browser sends the header by itself. */
function lastEventId(req: Request): number {
  return position.parse(req.get('Last-Event-ID') ?? req.query.after ?? 0);
}
