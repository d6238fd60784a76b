import { z } from 'zod';
import { batchStates, batchTypes } from '../../../domain/batch.ts';
import { startResults } from '../../../domain/batch-start.ts';
import { keys } from '../../../lib/keys.ts';
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
const batch = z.looseObject({
  id: z.uuid(),
  workspaceId: z.uuid(),
  name: z.string(),
  type: z.enum(batchTypes),
  state: z.enum(batchStates),
  priority: z.int().describe('Lower goes first'),
  documentType: z
    .string()
    .nullable()
    .describe('What all its documents are; null = chosen for each'),
  maxCost: z
    .number()
    .nullable()
    .describe('US dollars that its documents may cost; null = any amount'),
  sealed: z.boolean().describe('No more documents come'),
  startResult: z.enum(keys(startResults)).describe('What starting it would come to'),
  progress: z.looseObject({
    documents: z.int(),
    open: z.int(),
    ...counts,
    held: z
      .int()
      .optional()
      .describe('Documents that wait for a ceiling of cost to be raised; not in lists'),
    unpacked: ledgerSchema
      .extend({ containers: z.int() })
      .optional()
      .describe('What was found in its containers so far; not in lists'),
    cost: z.number().optional().describe('US dollars that its documents cost so far; not in lists'),
  }),
  href: z.string(),
  links: z.record(z.string(), z.string()),
});
const report = z.looseObject({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(batchStates),
  ...counts,
  ledger: z.record(z.string(), z.int()),
  difference: z.int().describe('Items missing'),
  exceptions: z.array(z.looseObject({ kind: z.string(), name: z.string(), message: z.string() })),
});

const action = (
  name: string,
  summary: string,
  body: z.ZodType = nothing,
  status = 200,
): Operation => ({
  method: 'post',
  path: `/v1/batches/{id}/${name}`,
  tag,
  access,
  summary,
  body,
  answers: { [status]: { description: 'The batch afterwards', schema: batch } },
});

export const batchOperations: Operation[] = [
  {
    method: 'post',
    path: '/v1/batches',
    tag,
    access,
    summary: 'Opens a batch',
    body: newBatch,
    answers: {
      200: { description: 'Opened before with the same Idempotency-Key', schema: batch },
      201: { description: 'Opened', schema: batch },
    },
  },
  {
    method: 'get',
    path: '/v1/batches',
    tag,
    access,
    summary: 'Lists batches, newest first',
    query: listQuery,
    answers: {
      200: { description: 'A page', schema: z.object({ batches: z.array(batch), nextCursor }) },
    },
  },
  {
    method: 'get',
    path: '/v1/batches/{id}',
    tag,
    access,
    summary: 'Tells how far a batch is and when it may be over',
    answers: { 200: { description: 'The batch', schema: batch } },
  },
  {
    method: 'patch',
    path: '/v1/batches/{id}',
    tag,
    access,
    summary:
      'Gives a batch another priority, or another ceiling of cost, which lets documents go on that it held',
    body: changing,
    answers: { 200: { description: 'The batch afterwards', schema: batch } },
  },
  action('start', 'Lets a batch wait for its turn and run'),
  action('pause', 'Starts no more documents of a batch; those under way go on'),
  action('resume', 'Lets a paused batch wait for its turn again'),
  action('finish', 'Says that no more documents come, and how many items there were', finishing),
  action(
    'items',
    'Takes note of an item that becomes no document; with an Idempotency-Key only once',
    item,
  ),
  action('cancel', 'Cancels a batch and its documents', cancelling, 202),
  {
    method: 'post',
    path: '/v1/batches/{id}/documents',
    tag,
    access,
    summary: 'Takes documents into a batch: one as the body, or one or many as a form',
    ...upload,
  },
  {
    method: 'post',
    path: '/v1/batches/{id}/import',
    tag,
    access,
    summary: 'Takes in what lies under a prefix of the inbox of the workspace',
    body: source,
    answers: {
      200: {
        description: 'What became of the objects',
        schema: z.looseObject({
          added: z.int(),
          duplicate: z.int(),
          repeated: z.int(),
          failed: z.int(),
        }),
      },
    },
  },
  {
    method: 'get',
    path: '/v1/batches/{id}/events',
    tag,
    access,
    summary: 'Tells what happens in a batch as it happens',
    query: z.object({
      after: position
        .optional()
        .describe('Id of the last event seen, where there is no Last-Event-ID'),
    }),
    answers: { 200: { description: 'Events without end', mediaType: 'text/event-stream' } },
  },
  {
    method: 'get',
    path: '/v1/batches/{id}/report',
    tag,
    access,
    summary: 'Tells what became of a batch and what people should look at',
    query: reportQuery,
    answers: { 200: { description: 'The report', mediaType: 'text/csv', schema: report } },
  },
];
