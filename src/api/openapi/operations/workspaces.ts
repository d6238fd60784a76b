import { z } from 'zod';
import { apiKeys } from '../../../db/schema/api-keys.ts';
import { scopes } from '../../../domain/scope.ts';
import { named } from '../../named.ts';
import { pageQuery } from '../../page.ts';
import { newKey } from '../../routes/keys.ts';
import { newWorkspace, settings } from '../../routes/workspaces.ts';
import type { Operation } from '../operation.ts';
import { nextCursor } from '../schemas.ts';

const access = 'admin';

const workspace = named(
  'Workspace',
  z.looseObject({
    id: z.uuid(),
    name: z.string(),
    maxInFlight: z.int().describe('Concurrency limit: documents in progress at the same time'),
    defaultPriority: z
      .int()
      .describe('Priority of batches that do not set one; lower values run first'),
    dailyBudget: z
      .number()
      .nullable()
      .describe(
        'Vendor spending limit per UTC day in US dollars; null = MILLRACE_DAILY_BUDGET, if set',
      ),
    retentionDays: z
      .int()
      .nullable()
      .describe('Ended documents are removed this many days after their arrival; null = never'),
    requestsPerMinute: z
      .int()
      .nullable()
      .describe('Requests per minute of the keys bound to it together; null = unlimited'),
    storageQuotaBytes: z
      .int()
      .nullable()
      .describe('Bytes of documents that it may hold; null = unlimited'),
    storedBytes: z
      .int()
      .optional()
      .describe('Bytes of the documents that it holds; omitted in lists'),
    legalHold: z.boolean().optional().describe('Whether a legal hold covers it; omitted in lists'),
    spentToday: z
      .number()
      .optional()
      .describe('US dollars spent since midnight UTC; omitted in lists'),
    createdAt: z.iso.datetime(),
  }),
);
const key = named(
  'Key',
  z.looseObject({
    id: z.string(),
    name: z.string(),
    role: z.enum(apiKeys.role.enumValues),
    workspaceId: z.uuid().nullable().describe('The only workspace it gives access to; null = all'),
    scopes: z
      .array(z.enum(scopes))
      .nullable()
      .describe('What it is restricted to; null = all that its role may do'),
    requestsPerMinute: z.int().nullable(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().describe('To the minute'),
    revokedAt: z.iso.datetime().nullable(),
  }),
);

const workspaceOperations: Operation[] = [
  {
    operationId: 'createWorkspace',
    method: 'post',
    path: '/admin/workspaces',
    tag: 'workspaces',
    access,
    global: true,
    summary: 'Create a workspace',
    body: newWorkspace,
    answers: { 201: { description: 'Created', schema: workspace } },
  },
  {
    operationId: 'listWorkspaces',
    method: 'get',
    path: '/admin/workspaces',
    tag: 'workspaces',
    access,
    summary: 'List workspaces, oldest first',
    query: pageQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named('WorkspacePage', z.object({ workspaces: z.array(workspace), nextCursor })),
      },
    },
  },
  {
    operationId: 'getWorkspace',
    method: 'get',
    path: '/admin/workspaces/{id}',
    tag: 'workspaces',
    access,
    summary: 'Get a workspace',
    answers: { 200: { description: 'The workspace', schema: workspace } },
  },
  {
    operationId: 'updateWorkspace',
    method: 'patch',
    path: '/admin/workspaces/{id}',
    tag: 'workspaces',
    access,
    summary: 'Update the name, the limits or the retention of a workspace',
    body: settings,
    answers: { 200: { description: 'The updated workspace', schema: workspace } },
  },
];

const keyOperations: Operation[] = [
  {
    operationId: 'createKey',
    method: 'post',
    path: '/admin/keys',
    tag: 'keys',
    access,
    summary: 'Create an API key; the key is shown only once',
    body: newKey,
    answers: {
      201: { description: 'Created', schema: named('CreatedKey', key.extend({ key: z.string() })) },
    },
  },
  {
    operationId: 'listKeys',
    method: 'get',
    path: '/admin/keys',
    tag: 'keys',
    access,
    summary: 'List API keys, including revoked ones, without their secrets',
    answers: {
      200: { description: 'The keys', schema: named('Keys', z.object({ keys: z.array(key) })) },
    },
  },
  {
    operationId: 'revokeKey',
    method: 'delete',
    path: '/admin/keys/{keyId}',
    tag: 'keys',
    access,
    summary: 'Revoke an API key',
    answers: { 204: { description: 'Revoked' } },
  },
];

export const tenancyOperations: Operation[] = [...workspaceOperations, ...keyOperations];
