import { z } from 'zod';
import { kinds } from '../../../destinations/index.ts';
import { deliveryOutcomes, deliveryStates, deliveryStatuses } from '../../../domain/delivery.ts';
import { keys } from '../../../lib/keys.ts';
import { pageQuery } from '../../page.ts';
import { listQuery, newDelivery } from '../../routes/deliveries.ts';
import { change, newDestination } from '../../routes/destinations.ts';
import type { Operation } from '../operation.ts';
import { nextCursor } from '../schemas.ts';

const named = z.looseObject({ id: z.uuid(), name: z.string(), kind: z.enum(keys(kinds)) });
const destination = named.extend({
  workspaceId: z.uuid(),
  settings: z.record(z.string(), z.unknown()),
  hasSecret: z.boolean(),
  enabled: z.boolean().describe('While it is not, deliveries are kept as received'),
  maxConcurrent: z.int().nullable(),
  holdSeconds: z.number().describe('How long a document is kept back after it is completed'),
});
const delivery = z.looseObject({
  id: z.uuid(),
  documentId: z.uuid(),
  documentName: z.string(),
  destinationId: z.uuid(),
  destinationName: z.string(),
  state: z.enum(deliveryStates),
  outcome: z.enum(deliveryOutcomes),
  status: z.enum(keys(deliveryStatuses)),
  externalId: z.string().nullable().describe('What the document manager calls the document'),
  outdated: z
    .boolean()
    .describe('The manager holds what an earlier run found, and the latest found something else'),
  resends: z.int().describe('How often it was sent again although the manager held it'),
  reasonCode: z.string().nullable(),
  reason: z.string().nullable(),
  endedAt: z.iso.datetime().nullable(),
});

const describeAs =
  (common: Pick<Operation, 'tag' | 'access'>) =>
  (about: Omit<Operation, 'tag' | 'access'>): Operation => ({ ...common, ...about });
const ofDestinations = describeAs({ tag: 'destinations', access: 'operator' });
const ofDeliveries = describeAs({ tag: 'deliveries', access: 'user' });

const destinationOperations = [
  ofDestinations({
    method: 'post',
    path: '/v1/destinations',
    summary: 'Adds a document manager that documents are delivered to',
    body: newDestination,
    answers: { 201: { description: 'Added', schema: named } },
  }),
  ofDestinations({
    method: 'get',
    path: '/v1/destinations',
    summary: 'Lists destinations, newest first',
    query: pageQuery,
    answers: {
      200: {
        description: 'A page',
        schema: z.object({ destinations: z.array(destination), nextCursor }),
      },
    },
  }),
  ofDestinations({
    method: 'get',
    path: '/v1/destinations/{id}',
    summary: 'Shows a destination without its secret',
    answers: { 200: { description: 'The destination', schema: destination } },
  }),
  ofDestinations({
    method: 'patch',
    path: '/v1/destinations/{id}',
    summary: 'Changes a destination; what is not named stays',
    body: change,
    answers: { 200: { description: 'The destination afterwards', schema: destination } },
  }),
  ofDestinations({
    method: 'delete',
    path: '/v1/destinations/{id}',
    summary: 'Removes a destination',
    answers: { 204: { description: 'Removed' } },
  }),
  ofDestinations({
    method: 'post',
    path: '/v1/destinations/{id}/test',
    summary: 'Tries a destination with one real call that changes nothing',
    answers: {
      200: {
        description: 'What came back',
        schema: z.looseObject({ id: z.uuid(), works: z.boolean(), explanation: z.string() }),
      },
    },
  }),
];

const transferOperations = [
  ofDeliveries({
    method: 'post',
    path: '/v1/deliveries',
    summary: 'Delivers a completed document, now or later',
    body: newDelivery,
    answers: { 202: { description: 'On its way', schema: delivery } },
  }),
  ofDeliveries({
    method: 'get',
    path: '/v1/deliveries',
    summary: 'Lists deliveries, newest first',
    query: listQuery,
    answers: {
      200: {
        description: 'A page',
        schema: z.object({ deliveries: z.array(delivery), nextCursor }),
      },
    },
  }),
  ofDeliveries({
    method: 'get',
    path: '/v1/deliveries/{id}',
    summary: 'Tells how a delivery stands',
    answers: { 200: { description: 'The delivery', schema: delivery } },
  }),
  ofDeliveries({
    method: 'post',
    path: '/v1/deliveries/{id}/cancel',
    summary: 'Calls a delivery back while that is possible',
    answers: { 200: { description: 'Called back', schema: delivery } },
  }),
  ofDeliveries({
    method: 'post',
    path: '/v1/deliveries/{id}/retry',
    summary: 'Tries a delivery again that ended without success',
    answers: { 202: { description: 'On its way', schema: delivery } },
  }),
  ofDeliveries({
    method: 'post',
    path: '/v1/deliveries/{id}/resend',
    summary: 'Hands a document over again that the manager holds, with what the latest run found',
    answers: { 202: { description: 'On its way', schema: delivery } },
  }),
];

export const deliveryOperations: Operation[] = [...destinationOperations, ...transferOperations];
