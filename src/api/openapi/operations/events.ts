import { z } from 'zod';
import { eventType } from '../../../domain/event.ts';
import { named } from '../../named.ts';
import { start } from '../../routes/event-stream.ts';
import { filters, page } from '../../routes/events.ts';
import type { Operation } from '../operation.ts';

const tag = 'events';
const access = 'user';

const event = named(
  'Event',
  z.looseObject({
    position: z.string(),
    at: z.iso.datetime(),
    type: eventType,
    workspaceId: z.uuid().nullable(),
    batchId: z.uuid().nullable(),
    documentId: z.uuid().nullable(),
    data: z.record(z.string(), z.unknown()),
  }),
);

export const eventOperations: Operation[] = [
  {
    operationId: 'listEvents',
    method: 'get',
    path: '/v1/events',
    tag,
    access,
    summary: 'List events, oldest first; the last cursor can be used to poll for newer events',
    query: filters.extend(page.shape),
    answers: {
      200: {
        description: 'A page',
        schema: named('EventPage', z.object({ events: z.array(event), nextCursor: z.string() })),
      },
    },
  },
  {
    operationId: 'streamEvents',
    method: 'get',
    path: '/v1/events/stream',
    tag,
    access,
    summary: 'Stream events, starting after the cursor or Last-Event-ID, otherwise from now',
    query: filters.extend({ cursor: start.shape.cursor }),
    answers: { 200: { description: 'Endless stream of events', mediaType: 'text/event-stream' } },
  },
];
