import { setTimeout as pause } from 'node:timers/promises';
import { Router } from 'express';
import { z } from 'zod';
import { endOfEvents, eventsAfter } from '../../db/events.ts';
import { SECOND } from '../../lib/time.ts';
import type { Routes } from '../context.ts';
import { cursorSchema, positionText } from '../cursor-schema.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { parse } from '../parse.ts';
import { StreamSlots } from '../stream-slots.ts';
import { write } from '../write.ts';
import { eventJson, parseEventFilter } from './events.ts';

const pollMs = 1 * SECOND;
const batch = 500;
export const start = z.object({
  cursor: cursorSchema.optional(),
  'last-event-id': cursorSchema.optional(),
});

/** Streams events (SSE), starting after `Last-Event-ID` or `?cursor=`, otherwise from now. */
export const eventStream: Routes = ({ resources, closing, settings }) => {
  const { db } = resources.database;
  const slots = new StreamSlots(settings.streams);
  const router = Router();

  router.get('/stream', async (req, res) => {
    const filter = parseEventFilter(req);
    const requested = parse(start, {
      cursor: req.query.cursor,
      'last-event-id': req.headers['last-event-id'],
    });
    let position = requested['last-event-id'] ?? requested.cursor ?? (await endOfEvents(db));
    const giveBack = slots.take(requireCaller(req).keyId);
    const disconnected = new AbortController();
    res.once('close', () => {
      giveBack();
      disconnected.abort();
    });
    const ended = AbortSignal.any([disconnected.signal, closing]);
    res.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    // The id alone is no event: it tells a client where to resume before it has seen one.
    await write(res, `id: ${positionText(position)}\nretry: ${2 * SECOND}\n\n`);
    while (!ended.aborted) {
      const found = await eventsAfter(db, position, filter, batch);
      position = found.at(-1) ?? position;
      const text = found
        .map((event) => message(positionText(event), event.type, eventJson(event)))
        .join('');
      // The empty comment keeps a quiet connection open and detects clients that disconnected.
      await write(res, text || ':\n\n');
      if (found.length < batch)
        await pause(pollMs, undefined, { signal: ended }).catch(() => undefined);
    }
    res.end();
  });

  return router;
};

function message(id: string, event: string, data: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
