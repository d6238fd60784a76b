import { z } from 'zod';
import { webhookMessages } from '../../../db/schema/webhook-messages.ts';
import { webhooks } from '../../../db/schema/webhooks.ts';
import { eventType } from '../../../domain/event.ts';
import { named } from '../../named.ts';
import { pageQuery } from '../../page.ts';
import { listQuery, replaying } from '../../routes/webhook-messages.ts';
import { newWebhook, rotation } from '../../routes/webhooks.ts';
import type { Operation } from '../operation.ts';
import { nextCursor } from '../schemas.ts';

const tag = 'webhooks';
const access = 'operator';

const webhook = named(
  'Webhook',
  z.looseObject({
    id: z.uuid(),
    url: z.string(),
    workspaceId: z.uuid().nullable().describe('Workspace whose events are sent; null = all'),
    types: z.array(eventType).nullable().describe('Event types that are sent; null = all'),
    batchId: z.uuid().nullable(),
    ordered: z.boolean().describe('Whether the events of each document are sent in order'),
    state: z.enum(webhooks.state.enumValues),
    disabledReason: z.string().nullable(),
  }),
);
const secret = z.string().describe('Shown only once');
const message = named(
  'WebhookMessage',
  z.looseObject({
    id: z.uuid(),
    type: eventType,
    body: z.string(),
    state: z.enum(webhookMessages.state.enumValues),
    attempts: z.int(),
    lastError: z.string().nullable(),
  }),
);

const ofOne = (
  about: Pick<Operation, 'operationId' | 'method' | 'summary' | 'query' | 'body' | 'answers'>,
  rest = '',
): Operation => ({
  path: `/v1/webhooks/{id}${rest}`,
  tag,
  access,
  ...about,
});

export const webhookOperations: Operation[] = [
  {
    operationId: 'createWebhook',
    method: 'post',
    path: '/v1/webhooks',
    tag,
    access,
    summary: 'Add an endpoint that receives events',
    body: newWebhook,
    answers: {
      201: {
        description: 'Added',
        schema: named('CreatedWebhook', z.looseObject({ id: z.uuid(), url: z.string(), secret })),
      },
    },
  },
  {
    operationId: 'listWebhooks',
    method: 'get',
    path: '/v1/webhooks',
    tag,
    access,
    summary: 'List endpoints, newest first',
    query: pageQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named('WebhookPage', z.object({ webhooks: z.array(webhook), nextCursor })),
      },
    },
  },
  ofOne({
    operationId: 'getWebhook',
    method: 'get',
    summary: 'Get an endpoint, without its secret',
    answers: { 200: { description: 'The endpoint', schema: webhook } },
  }),
  ofOne({
    operationId: 'deleteWebhook',
    method: 'delete',
    summary: 'Remove an endpoint and its messages',
    answers: { 204: { description: 'Removed' } },
  }),
  ofOne(
    {
      operationId: 'enableWebhook',
      method: 'post',
      summary: 'Enable a disabled endpoint',
      answers: { 200: { description: 'The updated endpoint', schema: webhook } },
    },
    '/enable',
  ),
  ofOne(
    {
      operationId: 'rotateWebhookSecret',
      method: 'post',
      summary: 'Rotate the secret of an endpoint; the previous one also signs during the overlap',
      body: rotation,
      answers: {
        200: {
          description: 'The new secret',
          schema: named(
            'RotatedSecret',
            z.looseObject({
              id: z.uuid(),
              secret,
              previousUntil: z.iso.datetime().nullable(),
            }),
          ),
        },
      },
    },
    '/rotate',
  ),
  ofOne(
    {
      operationId: 'testWebhook',
      method: 'post',
      summary: 'Send a test message to an endpoint',
      answers: {
        200: {
          description: 'Result of the test',
          schema: named(
            'WebhookTest',
            z.looseObject({
              kind: z.enum(['delivered', 'wait', 'failed', 'gone']),
              reason: z.string().optional(),
            }),
          ),
        },
      },
    },
    '/test',
  ),
  ofOne(
    {
      operationId: 'listWebhookMessages',
      method: 'get',
      summary: 'List the messages of an endpoint, newest first',
      query: listQuery,
      answers: {
        200: {
          description: 'A page',
          schema: named('WebhookMessagePage', z.object({ messages: z.array(message), nextCursor })),
        },
      },
    },
    '/messages',
  ),
  ofOne(
    {
      operationId: 'resendWebhookMessages',
      method: 'post',
      summary: 'Resend one message, or all events of a time range',
      body: replaying,
      answers: {
        202: {
          description: 'Queued',
          schema: named('ResentMessages', z.looseObject({ id: z.uuid(), replayed: z.int() })),
        },
      },
    },
    '/replay',
  ),
];
