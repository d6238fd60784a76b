import { z } from 'zod';
import { batchStates, batchTypes } from '../../../domain/batch.ts';
import { startResults } from '../../../domain/batch-start.ts';
import { keys } from '../../../lib/keys.ts';
import { named } from '../../named.ts';
import { cancelling, changing, finishing, item, nothing } from '../../routes/batch-actions.ts';
import { source } from '../../routes/batch-documents.ts';
import { position } from '../../routes/batch-events.ts';
import { reportQuery } from '../../routes/batch-report.ts';
import { listQuery, newBatch } from '../../routes/batches.ts';
import type { Operation } from '../operation.ts';
import { ledgerSchema, nextCursor } from '../schemas.ts';
import { upload } from './upload.ts';

const tag = 'batches';
const access = 'user';

const counts = { completed: z.int(), failed: z.int(), cancelled: z.int() };
const batch = named(
  'Batch',
  z.looseObject({
    id: z.uuid(),
    workspaceId: z.uuid(),
    name: z.string(),
    type: z.enum(batchTypes),
    state: z.enum(batchStates),
    priority: z.int().describe('Lower values run first'),
    documentType: z
      .string()
      .nullable()
      .describe('Type of all documents in the batch; null = detected per document'),
    maxCost: z.number().nullable().describe('Spending limit in US dollars; null = unlimited'),
    sealed: z.boolean().describe('Whether the batch is closed to further documents'),
    startResult: z.enum(keys(startResults)).describe('What a call to start would do now'),
    progress: z.looseObject({
      documents: z.int(),
      open: z.int(),
      ...counts,
      held: z
        .int()
        .optional()
        .describe('Documents waiting for a spending limit to be raised; omitted in lists'),
      unpacked: ledgerSchema
        .extend({ containers: z.int() })
        .optional()
        .describe('Counts of entries unpacked from containers so far; omitted in lists'),
      cost: z.number().optional().describe('Cost so far in US dollars; omitted in lists'),
    }),
    href: z.string(),
    links: z.record(z.string(), z.string()),
  }),
);
const report = named(
  'BatchReport',
  z.looseObject({
    id: z.uuid(),
    name: z.string(),
    state: z.enum(batchStates),
    ...counts,
    ledger: z.record(z.string(), z.int()),
    difference: z.int().describe('Number of items that are not accounted for'),
    exceptions: z.array(z.looseObject({ kind: z.string(), name: z.string(), message: z.string() })),
  }),
);

const action = (
  operationId: string,
  name: string,
  summary: string,
  body: z.ZodType = nothing,
  status = 200,
): Operation => ({
  operationId,
  method: 'post',
  path: `/v1/batches/{id}/${name}`,
  tag,
  access,
  summary,
  body,
  answers: { [status]: { description: 'The updated batch', schema: batch } },
});

export const batchOperations: Operation[] = [
  {
    operationId: 'createBatch',
    method: 'post',
    path: '/v1/batches',
    tag,
    access,
    summary: 'Create a batch',
    idempotent: true,
    body: newBatch,
    answers: {
      200: { description: 'Already created with the same Idempotency-Key', schema: batch },
      201: { description: 'Created', schema: batch },
    },
  },
  {
    operationId: 'listBatches',
    method: 'get',
    path: '/v1/batches',
    tag,
    access,
    summary: 'List batches, newest first',
    query: listQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named('BatchPage', z.object({ batches: z.array(batch), nextCursor })),
      },
    },
  },
  {
    operationId: 'getBatch',
    method: 'get',
    path: '/v1/batches/{id}',
    tag,
    access,
    summary: 'Get a batch with its progress and estimated end',
    answers: { 200: { description: 'The batch', schema: batch } },
  },
  {
    operationId: 'updateBatch',
    method: 'patch',
    path: '/v1/batches/{id}',
    tag,
    access,
    summary:
      'Change the priority or spending limit of a batch; a higher limit releases held documents',
    body: changing,
    answers: { 200: { description: 'The updated batch', schema: batch } },
  },
  action('startBatch', 'start', 'Start a batch; it runs when its turn comes'),
  action('pauseBatch', 'pause', 'Pause a batch; documents in progress continue'),
  action('resumeBatch', 'resume', 'Resume a paused batch; it runs when its turn comes'),
  action(
    'finishBatch',
    'finish',
    'Seal a batch: no more documents follow; optionally state the number of items',
    finishing,
  ),
  {
    ...action(
      'recordBatchItem',
      'items',
      'Record an item that does not become a document; once per Idempotency-Key',
      item,
    ),
    idempotent: true,
  },
  action('cancelBatch', 'cancel', 'Cancel a batch and its documents', cancelling, 202),
  {
    operationId: 'uploadBatchDocuments',
    method: 'post',
    path: '/v1/batches/{id}/documents',
    tag,
    access,
    summary: 'Upload documents to a batch: one as the raw body, or several as a form',
    ...upload,
  },
  {
    operationId: 'importIntoBatch',
    method: 'post',
    path: '/v1/batches/{id}/import',
    tag,
    access,
    summary: 'Import the objects under a prefix of the workspace inbox',
    body: source,
    answers: {
      200: {
        description: 'Result of the import',
        schema: named(
          'ImportResult',
          z.looseObject({
            added: z.int(),
            duplicate: z.int(),
            repeated: z.int(),
            failed: z.int(),
          }),
        ),
      },
    },
  },
  {
    operationId: 'streamBatchEvents',
    method: 'get',
    path: '/v1/batches/{id}/events',
    tag,
    access,
    summary: 'Stream the events of a batch',
    query: z.object({
      after: position
        .optional()
        .describe('Id of the last event received; used when Last-Event-ID is absent'),
    }),
    answers: { 200: { description: 'Endless stream of events', mediaType: 'text/event-stream' } },
  },
  {
    operationId: 'getBatchReport',
    method: 'get',
    path: '/v1/batches/{id}/report',
    tag,
    access,
    summary: 'Get the report of a batch, with the items that need attention',
    query: reportQuery,
    answers: { 200: { description: 'The report', mediaType: 'text/csv', schema: report } },
  },
];
