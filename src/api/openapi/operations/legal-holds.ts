import { z } from 'zod';
import { named } from '../../named.ts';
import { holdsQuery, newHold, release } from '../../routes/legal-holds.ts';
import type { Operation } from '../operation.ts';
import { nextCursor } from '../schemas.ts';

const access = 'operator';
const tag = 'legal holds';

const hold = named(
  'LegalHold',
  z.looseObject({
    id: z.uuid(),
    workspaceId: z.uuid(),
    batchId: z.uuid().nullable().describe('Only this batch'),
    documentId: z.uuid().nullable().describe('Only this document, and what was found inside it'),
    reason: z.string(),
    setBy: z.string().describe('Id of the API key'),
    createdAt: z.iso.datetime(),
    releasedAt: z.iso.datetime().nullable(),
    releasedBy: z.string().nullable(),
    releaseReason: z.string().nullable(),
  }),
);

export const legalHoldOperations: Operation[] = [
  {
    operationId: 'createLegalHold',
    method: 'post',
    path: '/admin/legal-holds',
    tag,
    access,
    summary: 'Protect a workspace, a batch or a document from deletion',
    body: newHold,
    answers: {
      201: { description: 'Set. Deletions are refused from now on', schema: hold },
    },
  },
  {
    operationId: 'listLegalHolds',
    method: 'get',
    path: '/admin/legal-holds',
    tag,
    access,
    summary: 'List legal holds, newest first',
    query: holdsQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named('LegalHoldPage', z.object({ legalHolds: z.array(hold), nextCursor })),
      },
    },
  },
  {
    operationId: 'getLegalHold',
    method: 'get',
    path: '/admin/legal-holds/{id}',
    tag,
    access,
    summary: 'Get a legal hold',
    answers: { 200: { description: 'The legal hold', schema: hold } },
  },
  {
    operationId: 'releaseLegalHold',
    method: 'post',
    path: '/admin/legal-holds/{id}/release',
    tag,
    access,
    summary: 'Release a legal hold',
    body: release,
    answers: {
      200: { description: 'Released', schema: hold },
      409: { description: 'It was already released' },
    },
  },
];
