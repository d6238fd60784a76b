import { z } from 'zod';
import { keys } from '../lib/keys.ts';
import { lanes } from './lane.ts';
import { reviewActions } from './review.ts';

const document = { documentId: z.uuid() };
const batch = { batchId: z.uuid() };
const hold = {
  holdId: z.uuid(),
  workspaceId: z.uuid(),
  /** Without a batch or a document, the hold covers the workspace. */
  batchId: z.uuid().optional(),
  documentId: z.uuid().optional(),
};
const task = { taskId: z.uuid(), stage: z.string() };
const worker = { worker: z.string(), stages: z.array(z.string()) };
const notice = z.looseObject({ message: z.string(), code: z.string().optional() });

/** Every event type and its data. Readers must ignore members they do not know. */
export const eventTypes = {
  DOCUMENT_ADDED: z.looseObject({ ...document, name: z.string(), bytes: z.number() }),
  DOCUMENT_REPROCESSED: z.looseObject(document),
  DOCUMENT_PROCESSED: z.looseObject({
    ...document,
    status: z.enum(['completed', 'failed', 'cancelled']),
    code: z.string().optional(),
    stage: z.string().optional(),
    /** The values are in doubt: a person has to settle them. */
    needsReview: z.boolean().optional(),
  }),
  DOCUMENT_REVIEWED: z.looseObject({
    ...document,
    action: z.enum(reviewActions),
    actor: z.string(),
    fields: z.array(z.string()),
  }),
  DOCUMENT_DELETED: z.looseObject(document),
  DOCUMENT_BYTES_MISSING: z.looseObject({
    ...document,
    expected: z.number(),
    found: z.number().nullable(),
  }),
  DOCUMENT_BYTES_FOUND: z.looseObject(document),

  PASSWORD_ACCEPTED: z.looseObject({ ...document, label: z.string() }),

  TASK_ADDED: z.looseObject(task),
  TASK_FINISHED: z.looseObject({
    ...task,
    /** Absent for the small lane. */
    lane: z.enum(lanes).optional(),
    epoch: z.int(),
    outcome: z.string(),
    state: z.string(),
    worker: z.string().nullable(),
    ms: z.number().optional(),
    delayMs: z.number().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),

  DELIVERY_CHANGED: z.looseObject({
    ...document,
    deliveryId: z.uuid(),
    destinationId: z.uuid(),
    status: z.string(),
  }),

  LEGAL_HOLD_SET: z.looseObject(hold),
  LEGAL_HOLD_RELEASED: z.looseObject(hold),
  RETENTION_APPLIED: z.looseObject({ workspaceId: z.uuid(), documents: z.int() }),

  JOB_QUEUED: z.looseObject(batch),
  JOB_STARTED: z.looseObject(batch),
  JOB_FINISHED: z.looseObject(batch),
  BATCH_END_START: z.looseObject(batch),
  BATCH_END_FINISHED: z.looseObject(batch),
  LOADER_FINISHED: z.looseObject(batch),
  IMPORT_CANCELLED: z.looseObject(batch),
  BATCH_CREATED: z.looseObject(batch),
  BATCH_FINISHED_FILLING: z.looseObject(batch),
  BATCH_PAUSED: z.looseObject(batch),
  BATCH_RELEASED: z.looseObject(batch),
  BATCH_PRIORITY_CHANGED: z.looseObject(batch),
  BATCH_LIMIT_CHANGED: z.looseObject(batch),
  BATCH_PROGRESS: z.looseObject(batch),
  BATCH_REDRIVE: z.looseObject(batch),
  BATCH_UNBALANCED: z.looseObject(batch),
  BATCH_RECOUNTED: z.looseObject(batch),
  ITEM_NOT_TAKEN: z.looseObject(batch),

  WORKER_STARTED: z.looseObject(worker),
  WORKER_FINISHED: z.looseObject({ ...worker, reason: z.enum(['stopped', 'lifetime', 'memory']) }),

  ERROR: notice,
  /** A document was processed in a reduced way: `code` is that of the problem it now has. */
  WARNING: notice.extend({ documentId: z.uuid().optional() }),
  NOTIFICATION: notice,
} satisfies Record<string, z.ZodType>;

export type EventType = keyof typeof eventTypes;
export type EventData<Type extends EventType> = z.infer<(typeof eventTypes)[Type]>;

export const eventType = z.enum(keys(eventTypes));
