import { z } from 'zod';
import { apiKeys } from '../../../db/schema/api-keys.ts';
import { pageQuery } from '../../page.ts';
import { newKey } from '../../routes/keys.ts';
import { newWorkspace, settings } from '../../routes/workspaces.ts';
import type { Operation } from '../operation.ts';
import { nextCursor } from '../schemas.ts';

const access = 'admin';

const workspace = z.looseObject({
  id: z.uuid(),
  name: z.string(),
  maxInFlight: z.int().describe('Documents that may be under way at once'),
  defaultPriority: z.int().describe('Of batches that name none; lower goes first'),
  dailyBudget: z
    .number()
    .nullable()
    .describe(
      'US dollars that vendors may be paid a day (UTC); null = as much as MILLRACE_DAILY_BUDGET says, if anything',
    ),
  spentToday: z.number().optional().describe('US dollars since midnight in UTC; left out in lists'),
  createdAt: z.iso.datetime(),
});
const key = z.looseObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(apiKeys.role.enumValues),
  workspaceId: z.uuid().nullable().describe('The one workspace it opens; null = all'),
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
});

const workspaceOperations: Operation[] = [
  {
    method: 'post',
    path: '/admin/workspaces',
    tag: 'workspaces',
    access,
    summary: 'Makes a workspace',
    body: newWorkspace,
    answers: { 201: { description: 'Made', schema: workspace } },
  },
  {
    method: 'get',
    path: '/admin/workspaces',
    tag: 'workspaces',
    access,
    summary: 'Lists workspaces, oldest first',
    query: pageQuery,
    answers: {
      200: {
        description: 'A page',
        schema: z.object({ workspaces: z.array(workspace), nextCursor }),
      },
    },
  },
  {
    method: 'get',
    path: '/admin/workspaces/{id}',
    tag: 'workspaces',
    access,
    summary: 'Shows a workspace',
    answers: { 200: { description: 'The workspace', schema: workspace } },
  },
  {
    method: 'patch',
    path: '/admin/workspaces/{id}',
    tag: 'workspaces',
    access,
    summary: 'Changes the name or the limits of a workspace',
    body: settings,
    answers: { 200: { description: 'The workspace afterwards', schema: workspace } },
  },
];

const keyOperations: Operation[] = [
  {
    method: 'post',
    path: '/admin/keys',
    tag: 'keys',
    access,
    summary: 'Makes an API key and shows it this once',
    body: newKey,
    answers: { 201: { description: 'Made', schema: key.extend({ key: z.string() }) } },
  },
  {
    method: 'get',
    path: '/admin/keys',
    tag: 'keys',
    access,
    summary: 'Lists API keys without their secrets, revoked ones included',
    answers: { 200: { description: 'The keys', schema: z.object({ keys: z.array(key) }) } },
  },
  {
    method: 'delete',
    path: '/admin/keys/{keyId}',
    tag: 'keys',
    access,
    summary: 'Revokes an API key',
    answers: { 204: { description: 'Revoked' } },
  },
];

export const tenancyOperations: Operation[] = [...workspaceOperations, ...keyOperations];
