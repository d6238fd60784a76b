import type { Role } from '../../db/api-keys.ts';
import type { Resource } from '../../domain/scope.ts';
import { board, boardPath } from '../board/index.ts';
import { webConsole } from '../console/index.ts';
import type { Routes } from '../context.ts';
import { audit } from './audit.ts';
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
import { documentExport } from './document-export.ts';
import { documentPages } from './document-pages.ts';
import { documentReview, isReviewPath } from './document-review.ts';
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

interface OpenMount {
  path: string;
  access: 'open';
  routes: readonly Routes[];
}

export interface GuardedMount {
  path: string;
  /** The lowest role that may call these routes. */
  access: Role;
  /** Named by the scopes of keys and in the audit log; may depend on the path below `path`. */
  resource: Resource | ((path: string) => Resource);
  routes: readonly Routes[];
}

/** Every route of the server. */
export const mounts: readonly (OpenMount | GuardedMount)[] = [
  {
    path: '/v1/documents',
    access: 'user',
    resource: (path) => (isReviewPath(path) ? 'review' : 'documents'),
    routes: [documentExport, documents, documentContent, documentPages, documentReview, why],
  },
  { path: '/v1/review', access: 'user', resource: 'review', routes: [review] },
  {
    path: '/v1/batches',
    access: 'user',
    resource: 'batches',
    routes: [batches, batchActions, batchDocuments, batchEvents, batchReport],
  },
  { path: '/admin/workspaces', access: 'admin', resource: 'workspaces', routes: [workspaces] },
  { path: '/admin/keys', access: 'admin', resource: 'keys', routes: [keyRoutes] },
  { path: '/v1/events', access: 'user', resource: 'events', routes: [eventStream, events] },
  { path: '/v1/formats', access: 'user', resource: 'formats', routes: [formats] },
  { path: '/v1/schemas', access: 'user', resource: 'schemas', routes: [schemas] },
  { path: '/v1/schemas', access: 'operator', resource: 'schemas', routes: [schemaChanges] },
  {
    path: '/v1/destinations',
    access: 'operator',
    resource: 'destinations',
    routes: [destinations],
  },
  { path: '/v1/deliveries', access: 'user', resource: 'deliveries', routes: [deliveries] },
  {
    path: '/v1/webhooks',
    access: 'operator',
    resource: 'webhooks',
    routes: [webhooks, webhookMessages],
  },
  { path: '/admin/legal-holds', access: 'operator', resource: 'legal-holds', routes: [legalHolds] },
  { path: '/admin/passwords', access: 'operator', resource: 'passwords', routes: [passwords] },
  { path: '/admin/dlq', access: 'operator', resource: 'dlq', routes: [replays, deadLetters] },
  { path: '/admin/tasks', access: 'operator', resource: 'tasks', routes: [tasks] },
  { path: '/admin/jobs', access: 'operator', resource: 'jobs', routes: [jobs] },
  { path: '/admin/statistics', access: 'operator', resource: 'statistics', routes: [statistics] },
  { path: '/admin/audit', access: 'admin', resource: 'audit', routes: [audit] },
  { path: boardPath, access: 'operator', resource: 'queues', routes: [board] },
  { path: '/metrics', access: 'open', routes: [metrics] },
  { path: '/', access: 'open', routes: [webConsole, home, health, login, description] },
];
