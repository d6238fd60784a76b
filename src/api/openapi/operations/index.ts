import type { Operation } from '../operation.ts';
import { adminOperations } from './admin.ts';
import { batchOperations } from './batches.ts';
import { deliveryOperations } from './deliveries.ts';
import { documentPageOperations } from './document-pages.ts';
import { documentOperations } from './documents.ts';
import { eventOperations } from './events.ts';
import { formatOperations } from './formats.ts';
import { legalHoldOperations } from './legal-holds.ts';
import { openOperations } from './open.ts';
import { passwordOperations } from './passwords.ts';
import { reviewOperations } from './review.ts';
import { schemaOperations } from './schemas.ts';
import { webhookOperations } from './webhooks.ts';
import { tenancyOperations } from './workspaces.ts';

/** Every endpoint. A test checks that this list matches the routes. */
export const operations: readonly Operation[] = [
  ...documentOperations,
  ...documentPageOperations,
  ...reviewOperations,
  ...formatOperations,
  ...batchOperations,
  ...schemaOperations,
  ...eventOperations,
  ...deliveryOperations,
  ...webhookOperations,
  ...tenancyOperations,
  ...legalHoldOperations,
  ...passwordOperations,
  ...adminOperations,
  ...openOperations,
];
