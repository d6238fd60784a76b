import { z } from 'zod';
import { kinds } from '../../../destinations/index.ts';
import { deliveryOutcomes, deliveryStates, deliveryStatuses } from '../../../domain/delivery.ts';
import { keys } from '../../../lib/keys.ts';
import { named } from '../../named.ts';
import { pageQuery } from '../../page.ts';
import { listQuery, newDelivery } from '../../routes/deliveries.ts';
import { change, newDestination } from '../../routes/destinations.ts';
import type { Operation } from '../operation.ts';
import { nextCursor } from '../schemas.ts';

const summary = named(
  'NamedDestination',
  z.looseObject({ id: z.uuid(), name: z.string(), kind: z.enum(keys(kinds)) }),
);
const destination = named(
  'Destination',
  summary.extend({
    workspaceId: z.uuid(),
    settings: z.record(z.string(), z.unknown()),
    hasSecret: z.boolean(),
    enabled: z.boolean().describe('While false, deliveries stay RECEIVED'),
    maxConcurrent: z.int().nullable(),
    holdSeconds: z.number().describe('Delay in seconds between completion and delivery'),
  }),
);
const delivery = named(
  'Delivery',
  z.looseObject({
    id: z.uuid(),
    documentId: z.uuid(),
    documentName: z.string(),
    destinationId: z.uuid(),
    destinationName: z.string(),
    state: z.enum(deliveryStates),
    outcome: z.enum(deliveryOutcomes),
    status: z.enum(keys(deliveryStatuses)),
    externalId: z.string().nullable().describe('Id of the document in the document manager'),
    outdated: z
      .boolean()
      .describe('The manager holds the result of an earlier run, and the latest run differs'),
    resends: z.int().describe('Number of resends to a manager that already held the document'),
    reasonCode: z.string().nullable(),
    reason: z.string().nullable(),
    endedAt: z.iso.datetime().nullable(),
  }),
);

const describeAs =
  (common: Pick<Operation, 'tag' | 'access'>) =>
  (about: Omit<Operation, 'tag' | 'access'>): Operation => ({ ...common, ...about });
const ofDestinations = describeAs({ tag: 'destinations', access: 'operator' });
const ofDeliveries = describeAs({ tag: 'deliveries', access: 'user' });

const destinationOperations = [
  ofDestinations({
    operationId: 'createDestination',
    method: 'post',
    path: '/v1/destinations',
    summary: 'Add a document manager as a destination',
    body: newDestination,
    answers: { 201: { description: 'Added', schema: summary } },
  }),
  ofDestinations({
    operationId: 'listDestinations',
    method: 'get',
    path: '/v1/destinations',
    summary: 'List destinations, newest first',
    query: pageQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named(
          'DestinationPage',
          z.object({ destinations: z.array(destination), nextCursor }),
        ),
      },
    },
  }),
  ofDestinations({
    operationId: 'getDestination',
    method: 'get',
    path: '/v1/destinations/{id}',
    summary: 'Get a destination, without its secret',
    answers: { 200: { description: 'The destination', schema: destination } },
  }),
  ofDestinations({
    operationId: 'updateDestination',
    method: 'patch',
    path: '/v1/destinations/{id}',
    summary: 'Update a destination; omitted fields stay unchanged',
    body: change,
    answers: { 200: { description: 'The updated destination', schema: destination } },
  }),
  ofDestinations({
    operationId: 'deleteDestination',
    method: 'delete',
    path: '/v1/destinations/{id}',
    summary: 'Remove a destination',
    answers: { 204: { description: 'Removed' } },
  }),
  ofDestinations({
    operationId: 'testDestination',
    method: 'post',
    path: '/v1/destinations/{id}/test',
    summary: 'Test a destination with one real call that changes nothing',
    answers: {
      200: {
        description: 'Result of the test',
        schema: named(
          'DestinationTest',
          z.looseObject({ id: z.uuid(), works: z.boolean(), explanation: z.string() }),
        ),
      },
    },
  }),
];

const transferOperations = [
  ofDeliveries({
    operationId: 'createDelivery',
    method: 'post',
    path: '/v1/deliveries',
    summary: 'Deliver a completed document, now or at a later time',
    body: newDelivery,
    answers: { 202: { description: 'Queued', schema: delivery } },
  }),
  ofDeliveries({
    operationId: 'listDeliveries',
    method: 'get',
    path: '/v1/deliveries',
    summary: 'List deliveries, newest first',
    query: listQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named('DeliveryPage', z.object({ deliveries: z.array(delivery), nextCursor })),
      },
    },
  }),
  ofDeliveries({
    operationId: 'getDelivery',
    method: 'get',
    path: '/v1/deliveries/{id}',
    summary: 'Get a delivery',
    answers: { 200: { description: 'The delivery', schema: delivery } },
  }),
  ofDeliveries({
    operationId: 'cancelDelivery',
    method: 'post',
    path: '/v1/deliveries/{id}/cancel',
    summary: 'Cancel a delivery that has not been submitted yet',
    answers: { 200: { description: 'Cancelled', schema: delivery } },
  }),
  ofDeliveries({
    operationId: 'retryDelivery',
    method: 'post',
    path: '/v1/deliveries/{id}/retry',
    summary: 'Retry a delivery that ended without success',
    answers: { 202: { description: 'Queued', schema: delivery } },
  }),
  ofDeliveries({
    operationId: 'resendDelivery',
    method: 'post',
    path: '/v1/deliveries/{id}/resend',
    summary: 'Resend a document that the manager holds, with the result of the latest run',
    answers: { 202: { description: 'Queued', schema: delivery } },
  }),
];

export const deliveryOperations: Operation[] = [...destinationOperations, ...transferOperations];
