import { z } from 'zod';
import { auditQuery } from '../../routes/audit.ts';
import { groupQuery, listQuery } from '../../routes/dead-letters.ts';
import { replayAllBody, replaysQuery } from '../../routes/replays.ts';
import { runAgain } from '../../run-again.ts';
import type { Operation } from '../operation.ts';
import {
  groupSchema,
  jobSchema,
  letterSchema,
  nextCursor,
  replaySchema,
  subjectSchema,
  taskSchema,
} from '../schemas.ts';

const access = 'operator';

const outcome = z.looseObject({
  id: z.uuid(),
  outcome: z.string(),
  detail: z.string(),
  replayedAs: z.uuid().nullable(),
  subject: subjectSchema,
  documentId: z.uuid().nullable(),
  href: z.string(),
});
const auditEntry = z.looseObject({
  id: z.int(),
  at: z.iso.datetime(),
  actor: z.string().describe('Id of the key'),
  role: z.string(),
  workspaceId: z.uuid().nullable(),
  action: z.string().describe('Method and route'),
  targetKind: z.string(),
  targetId: z.string().nullable(),
  status: z.int(),
  details: z.record(z.string(), z.unknown()).nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
});
const figures = z.object({
  stages: z.array(z.looseObject({})),
  quality: z.array(z.looseObject({})),
});

export const adminOperations: Operation[] = [
  {
    method: 'get',
    path: '/admin/dlq',
    tag: 'dead letters',
    access,
    summary: 'List dead letters, newest first',
    query: listQuery,
    answers: {
      200: {
        description: 'A page',
        schema: z.object({ deadLetters: z.array(letterSchema), nextCursor }),
      },
    },
  },
  {
    method: 'get',
    path: '/admin/dlq/groups',
    tag: 'dead letters',
    access,
    summary: 'Group open dead letters by kind of failure',
    query: groupQuery,
    answers: {
      200: { description: 'The groups', schema: z.object({ groups: z.array(groupSchema) }) },
    },
  },
  {
    method: 'post',
    path: '/admin/dlq/replay-all',
    tag: 'dead letters',
    access,
    summary: 'Replay all matching dead letters, or preview the replay with dryRun',
    body: replayAllBody,
    answers: {
      200: {
        description: 'Preview of the replay',
        schema: z.looseObject({ dryRun: z.literal(true), matching: z.int() }),
      },
      202: {
        description: 'Replay started. It continues in the background; Location shows its progress',
        schema: replaySchema.extend({ dryRun: z.literal(false) }),
      },
      422: {
        description: 'The requested provider is not configured; the response lists those that are',
      },
    },
  },
  {
    method: 'get',
    path: '/admin/dlq/replays',
    tag: 'dead letters',
    access,
    summary: 'List bulk replays, newest first',
    query: replaysQuery,
    answers: {
      200: {
        description: 'A page',
        schema: z.object({ replays: z.array(replaySchema), nextCursor }),
      },
    },
  },
  {
    method: 'get',
    path: '/admin/dlq/replays/{id}',
    tag: 'dead letters',
    access,
    summary: 'Get the progress of a bulk replay',
    answers: { 200: { description: 'The replay', schema: replaySchema } },
  },
  {
    method: 'delete',
    path: '/admin/dlq/replays/{id}',
    tag: 'dead letters',
    access,
    summary: 'Cancel a bulk replay; documents already started continue',
    answers: { 204: { description: 'Stopped' } },
  },
  {
    method: 'get',
    path: '/admin/dlq/{id}',
    tag: 'dead letters',
    access,
    summary: 'Get a dead letter',
    answers: { 200: { description: 'The dead letter', schema: letterSchema } },
  },
  {
    method: 'post',
    path: '/admin/dlq/{id}/replay',
    tag: 'dead letters',
    access,
    summary: 'Replay a dead letter; does nothing if it was replayed or is no longer needed',
    body: runAgain,
    answers: {
      200: { description: 'Nothing was done; `detail` explains why', schema: outcome },
      202: { description: 'Queued for another run', schema: outcome },
      422: {
        description: 'The requested provider is not configured; the response lists those that are',
      },
    },
  },
  {
    method: 'delete',
    path: '/admin/dlq/{id}',
    tag: 'dead letters',
    access,
    summary: 'Discard a dead letter',
    answers: { 204: { description: 'Discarded' } },
  },
  {
    method: 'get',
    path: '/admin/tasks/{id}',
    tag: 'tasks',
    access,
    summary: 'Get a task of any kind of work, with what it waits for',
    answers: { 200: { description: 'The task', schema: taskSchema } },
  },
  {
    method: 'get',
    path: '/admin/jobs',
    tag: 'interval jobs',
    access,
    global: true,
    summary: 'List interval jobs with their latest run',
    answers: { 200: { description: 'The jobs', schema: z.object({ jobs: z.array(jobSchema) }) } },
  },
  {
    method: 'post',
    path: '/admin/jobs/{name}/run',
    tag: 'interval jobs',
    access,
    global: true,
    summary: 'Run an interval job once, now',
    answers: {
      200: {
        description: 'Report of the run',
        schema: z.object({ name: z.string(), report: z.record(z.string(), z.number()) }),
      },
    },
  },
  {
    method: 'get',
    path: '/admin/statistics',
    tag: 'statistics',
    access,
    summary: 'Get stage figures of the last day and figures on reading quality',
    answers: { 200: { description: 'Figures', schema: figures } },
  },
  {
    method: 'get',
    path: '/admin/audit',
    tag: 'audit log',
    access: 'admin',
    summary: 'List who did what to which document, key or setting, newest first',
    query: auditQuery,
    answers: {
      200: {
        description: 'A page',
        schema: z.object({ entries: z.array(auditEntry), nextCursor: z.string().nullable() }),
      },
    },
  },
];
