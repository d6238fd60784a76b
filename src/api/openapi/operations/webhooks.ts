import { z } from 'zod';
import { webhookMessages } from '../../../db/schema/webhook-messages.ts';
import { webhooks } from '../../../db/schema/webhooks.ts';
import { eventType } from '../../../domain/event.ts';
import { pageQuery } from '../../page.ts';
import { listQuery, replaying } from '../../routes/webhook-messages.ts';
import { newWebhook, rotation } from '../../routes/webhooks.ts';
import type { Operation } from '../operation.ts';
import { nextCursor } from '../schemas.ts';

const tag = 'webhooks';
const access = 'operator';

const webhook = z.looseObject({
  id: z.uuid(),
  url: z.string(),
  workspaceId: z.uuid().nullable().describe('Whose events it hears of; null = all'),
  types: z.array(eventType).nullable().describe('What it wants to hear of; null = everything'),
  batchId: z.uuid().nullable(),
  ordered: z.boolean().describe('The events of a document come one after the other'),
  state: z.enum(webhooks.state.enumValues),
  disabledReason: z.string().nullable(),
});
const secret = z.string().describe('Told this once');
const message = z.looseObject({
  id: z.uuid(),
  type: eventType,
  body: z.string(),
  state: z.enum(webhookMessages.state.enumValues),
  attempts: z.int(),
  lastError: z.string().nullable(),
});

const ofOne = (
  about: Pick<Operation, 'method' | 'summary' | 'query' | 'body' | 'answers'>,
  rest = '',
): Operation => ({
  path: `/v1/webhooks/{id}${rest}`,
  tag,
  access,
  ...about,
});

export const webhookOperations: Operation[] = [
  {
    method: 'post',
    path: '/v1/webhooks',
    tag,
    access,
    summary: 'Adds an endpoint that is told of events',
    body: newWebhook,
    answers: {
      201: {
        description: 'Added',
        schema: z.looseObject({ id: z.uuid(), url: z.string(), secret }),
      },
    },
  },
  {
    method: 'get',
    path: '/v1/webhooks',
    tag,
    access,
    summary: 'Lists endpoints, newest first',
    query: pageQuery,
    answers: {
      200: { description: 'A page', schema: z.object({ webhooks: z.array(webhook), nextCursor }) },
    },
  },
  ofOne({
    method: 'get',
    summary: 'Shows an endpoint without its secret',
    answers: { 200: { description: 'The endpoint', schema: webhook } },
  }),
  ofOne({
    method: 'delete',
    summary: 'Removes an endpoint and its messages',
    answers: { 204: { description: 'Removed' } },
  }),
  ofOne(
    {
      method: 'post',
      summary: 'Enables an endpoint that was disabled',
      answers: { 200: { description: 'The endpoint afterwards', schema: webhook } },
    },
    '/enable',
  ),
  ofOne(
    {
      method: 'post',
      summary: 'Gives an endpoint another secret; the one before signs as well for a while',
      body: rotation,
      answers: {
        200: {
          description: 'The secret',
          schema: z.looseObject({
            id: z.uuid(),
            secret,
            previousUntil: z.iso.datetime().nullable(),
          }),
        },
      },
    },
    '/rotate',
  ),
  ofOne(
    {
      method: 'post',
      summary: 'Sends a message to an endpoint to try it',
      answers: {
        200: {
          description: 'What came back',
          schema: z.looseObject({
            kind: z.enum(['delivered', 'wait', 'failed', 'gone']),
            reason: z.string().optional(),
          }),
        },
      },
    },
    '/test',
  ),
  ofOne(
    {
      method: 'get',
      summary: 'Lists what was sent to an endpoint or could not be, newest first',
      query: listQuery,
      answers: {
        200: {
          description: 'A page',
          schema: z.object({ messages: z.array(message), nextCursor }),
        },
      },
    },
    '/messages',
  ),
  ofOne(
    {
      method: 'post',
      summary: 'Sends a message again, or all events of a span of time',
      body: replaying,
      answers: {
        202: {
          description: 'To be sent',
          schema: z.looseObject({ id: z.uuid(), replayed: z.int() }),
        },
      },
    },
    '/replay',
  ),
];
