import { board, boardPath } from '../board/index.ts';
import type { Routes } from '../context.ts';
import type { Access } from '../middleware/authenticate.ts';
import { batchActions } from './batch-actions.ts';
import { batchDocuments } from './batch-documents.ts';
import { batchEvents } from './batch-events.ts';
import { batchReport } from './batch-report.ts';
import { batches } from './batches.ts';
import { deadLetters } from './dead-letters.ts';
import { deliveries } from './deliveries.ts';
import { description } from './description.ts';
import { destinations } from './destinations.ts';
import { documentContent } from './document-content.ts';
import { documentReview } from './document-review.ts';
import { documents } from './documents.ts';
import { eventStream } from './event-stream.ts';
import { events } from './events.ts';
import { formats } from './formats.ts';
import { health } from './health.ts';
import { home } from './home.ts';
import { jobs } from './jobs.ts';
import { keyRoutes } from './keys.ts';
import { legalHolds } from './legal-holds.ts';
import { login } from './login.ts';
import { metrics } from './metrics.ts';
import { passwords } from './passwords.ts';
import { replays } from './replays.ts';
import { review } from './review.ts';
import { schemaChanges } from './schema-changes.ts';
import { schemas } from './schemas.ts';
import { statistics } from './statistics.ts';
import { tasks } from './tasks.ts';
import { webhookMessages } from './webhook-messages.ts';
import { webhooks } from './webhooks.ts';
import { why } from './why.ts';
import { workspaces } from './workspaces.ts';

interface Mount {
  path: string;
  /** The lowest role that may call these routes. */
  access: Access;
  routes: readonly Routes[];
}

/** Every route of the server. */
export const mounts: readonly Mount[] = [
  {
    path: '/v1/documents',
    access: 'user',
    routes: [documents, documentContent, documentReview, why],
  },
  { path: '/v1/review', access: 'user', routes: [review] },
  {
    path: '/v1/batches',
    access: 'user',
    routes: [batches, batchActions, batchDocuments, batchEvents, batchReport],
  },
  { path: '/admin/workspaces', access: 'admin', routes: [workspaces] },
  { path: '/admin/keys', access: 'admin', routes: [keyRoutes] },
  { path: '/v1/events', access: 'user', routes: [eventStream, events] },
  { path: '/v1/formats', access: 'user', routes: [formats] },
  { path: '/v1/schemas', access: 'user', routes: [schemas] },
  { path: '/v1/schemas', access: 'operator', routes: [schemaChanges] },
  { path: '/v1/destinations', access: 'operator', routes: [destinations] },
  { path: '/v1/deliveries', access: 'user', routes: [deliveries] },
  { path: '/v1/webhooks', access: 'operator', routes: [webhooks, webhookMessages] },
  { path: '/admin/legal-holds', access: 'operator', routes: [legalHolds] },
  { path: '/admin/passwords', access: 'operator', routes: [passwords] },
  { path: '/admin/dlq', access: 'operator', routes: [replays, deadLetters] },
  { path: '/admin/tasks', access: 'operator', routes: [tasks] },
  { path: '/admin/jobs', access: 'operator', routes: [jobs] },
  { path: '/admin/statistics', access: 'operator', routes: [statistics] },
  { path: boardPath, access: 'operator', routes: [board] },
  { path: '/metrics', access: 'open', routes: [metrics] },
  { path: '/', access: 'open', routes: [home, health, login, description] },
];
