import { z } from 'zod';
import { reviewActions, reviewStates } from '../../../domain/review.ts';
import { named } from '../../named.ts';
import {
  approval,
  corrections,
  reclassification,
  rejection,
} from '../../routes/document-review.ts';
import { nextReview, reviewQuery } from '../../routes/review.ts';
import { runAgain } from '../../run-again.ts';
import type { Operation } from '../operation.ts';
import { documentSchema, nextCursor, startedSchema } from '../schemas.ts';

const tag = 'review';
const access = 'user';
const at = z.iso.datetime();

const review = named(
  'Review',
  z.looseObject({
    id: z.uuid().describe('Of the document'),
    workspaceId: z.uuid(),
    ingestionId: z.uuid(),
    name: z.string(),
    path: z.string().nullable(),
    state: z.enum(reviewStates),
    documentType: z.string().nullable(),
    reasons: z.array(z.string()).describe('Why it needs a review'),
    fields: z.array(z.string()).describe('Fields in doubt'),
    priority: z.int().describe('Higher ones are handed out first'),
    openedAt: at,
    assignee: z.string().nullable().describe('Id of the key that holds it'),
    claimedUntil: at.nullable(),
    heartbeatSeconds: z.number().describe('Claim it again within this time to keep it'),
    settledAt: at.nullable(),
    settledBy: z.string().nullable(),
    rejection: z.string().nullable(),
    href: z.string(),
    document: z.string(),
  }),
);

const change = named(
  'ReviewChange',
  z.looseObject({
    id: z.uuid(),
    action: z.enum(reviewActions),
    actor: z.string().describe('Id of the API key'),
    revision: z.int(),
    changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
    reason: z.string().nullable(),
    createdAt: at,
  }),
);

const counts = named(
  'ReviewCounts',
  z.object({
    open: z.int(),
    byType: z.record(z.string(), z.int()),
    byField: z.record(z.string(), z.int()),
  }),
);

const corrected = named(
  'CorrectedValues',
  z.looseObject({
    id: z.uuid(),
    revision: z.int().describe('Also in the header ETag'),
    values: z.record(z.string(), z.unknown()),
    verdict: z.looseObject({ valid: z.boolean(), reasons: z.array(z.string()) }),
  }),
);

const onDocument = (
  name: string,
  about: Omit<Operation, 'method' | 'path' | 'tag' | 'access'> & Partial<Operation>,
): Operation => ({ method: 'post', path: `/v1/documents/{id}/${name}`, tag, access, ...about });

const notOpen = { description: 'Somebody else holds it, or it does not wait for a review' };

export const reviewOperations: Operation[] = [
  {
    operationId: 'listReviews',
    method: 'get',
    path: '/v1/review',
    tag,
    access,
    summary: 'List documents that wait for a review, by priority and age',
    query: reviewQuery,
    answers: {
      200: {
        description: 'A page, and counts of all open reviews',
        schema: named('ReviewPage', z.object({ reviews: z.array(review), nextCursor, counts })),
      },
    },
  },
  {
    operationId: 'claimNextReview',
    method: 'post',
    path: '/v1/review/next',
    tag,
    access,
    summary: 'Claim the next document that nobody holds, for 15 minutes',
    body: nextReview,
    answers: {
      200: { description: 'The review', schema: review },
      204: { description: 'None is waiting' },
    },
  },
  {
    operationId: 'getReview',
    method: 'get',
    path: '/v1/review/{id}',
    tag,
    access,
    summary: 'Get the review of a document with its history',
    answers: {
      200: {
        description: 'The review',
        schema: named('ReviewWithHistory', review.extend({ history: z.array(change) })),
      },
    },
  },
  {
    operationId: 'claimReview',
    method: 'post',
    path: '/v1/review/{id}/claim',
    tag,
    access,
    summary: 'Claim a review, or keep your claim for another 15 minutes',
    answers: { 200: { description: 'Claimed', schema: review }, 409: notOpen },
  },
  {
    operationId: 'releaseReview',
    method: 'post',
    path: '/v1/review/{id}/release',
    tag,
    access,
    summary: 'End your claim; operators end anybody’s',
    answers: { 200: { description: 'Released', schema: review } },
  },
  onDocument('fields', {
    operationId: 'correctFields',
    method: 'patch',
    summary: 'Correct values',
    headers: { 'If-Match': 'The revision that you have seen, in quotes: "0"' },
    body: corrections,
    answers: {
      200: { description: 'Corrected and judged again', schema: corrected },
      409: { description: 'The values were changed meanwhile, or somebody else holds the review' },
    },
  }),
  onDocument('approve', {
    operationId: 'approveDocument',
    summary: 'Accept the values, with corrections if given, and start the deliveries',
    body: approval,
    answers: { 200: { description: 'Approved', schema: documentSchema }, 409: notOpen },
  }),
  onDocument('reject', {
    operationId: 'rejectDocument',
    summary: 'End the review without accepting the values; nothing is delivered',
    body: rejection,
    answers: { 200: { description: 'Rejected', schema: documentSchema }, 409: notOpen },
  }),
  onDocument('reclassify', {
    operationId: 'reclassifyDocument',
    summary: 'Extract again as another document type',
    body: reclassification,
    answers: { 202: { description: 'Queued for processing', schema: startedSchema } },
  }),
  onDocument('reread', {
    operationId: 'rereadDocument',
    summary: 'Read and extract again, with other settings if given',
    body: runAgain,
    answers: { 202: { description: 'Queued for processing', schema: startedSchema } },
  }),
];
