import { z } from 'zod';
import { named } from '../../named.ts';
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

const outcome = named(
  'ReplayOutcome',
  z.looseObject({
    id: z.uuid(),
    outcome: z.string(),
    detail: z.string(),
    replayedAs: z.uuid().nullable(),
    subject: subjectSchema,
    documentId: z.uuid().nullable(),
    href: z.string(),
  }),
);
const auditEntry = named(
  'AuditEntry',
  z.looseObject({
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
  }),
);
const figures = named(
  'Statistics',
  z.object({
    stages: z.array(z.looseObject({})),
    quality: z.array(z.looseObject({})),
  }),
);

export const adminOperations: Operation[] = [
  {
    operationId: 'listDeadLetters',
    method: 'get',
    path: '/admin/dlq',
    tag: 'dead letters',
    access,
    summary: 'List dead letters, newest first',
    query: listQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named(
          'DeadLetterPage',
          z.object({ deadLetters: z.array(letterSchema), nextCursor }),
        ),
      },
    },
  },
  {
    operationId: 'listDeadLetterGroups',
    method: 'get',
    path: '/admin/dlq/groups',
    tag: 'dead letters',
    access,
    summary: 'Group open dead letters by kind of failure',
    query: groupQuery,
    answers: {
      200: {
        description: 'The groups',
        schema: named('DeadLetterGroups', z.object({ groups: z.array(groupSchema) })),
      },
    },
  },
  {
    operationId: 'replayDeadLetters',
    method: 'post',
    path: '/admin/dlq/replay-all',
    tag: 'dead letters',
    access,
    summary: 'Replay all matching dead letters, or preview the replay with dryRun',
    body: replayAllBody,
    answers: {
      200: {
        description: 'Preview of the replay',
        schema: named(
          'ReplayPreview',
          z.looseObject({ dryRun: z.literal(true), matching: z.int() }),
        ),
      },
      202: {
        description: 'Replay started. It continues in the background; Location shows its progress',
        schema: named('StartedReplay', replaySchema.extend({ dryRun: z.literal(false) })),
      },
      422: {
        description: 'The requested provider is not configured; the response lists those that are',
      },
    },
  },
  {
    operationId: 'listReplays',
    method: 'get',
    path: '/admin/dlq/replays',
    tag: 'dead letters',
    access,
    summary: 'List bulk replays, newest first',
    query: replaysQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named('ReplayPage', z.object({ replays: z.array(replaySchema), nextCursor })),
      },
    },
  },
  {
    operationId: 'getReplay',
    method: 'get',
    path: '/admin/dlq/replays/{id}',
    tag: 'dead letters',
    access,
    summary: 'Get the progress of a bulk replay',
    answers: { 200: { description: 'The replay', schema: replaySchema } },
  },
  {
    operationId: 'cancelReplay',
    method: 'delete',
    path: '/admin/dlq/replays/{id}',
    tag: 'dead letters',
    access,
    summary: 'Cancel a bulk replay; documents already started continue',
    answers: { 204: { description: 'Stopped' } },
  },
  {
    operationId: 'getDeadLetter',
    method: 'get',
    path: '/admin/dlq/{id}',
    tag: 'dead letters',
    access,
    summary: 'Get a dead letter',
    answers: { 200: { description: 'The dead letter', schema: letterSchema } },
  },
  {
    operationId: 'replayDeadLetter',
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
    operationId: 'discardDeadLetter',
    method: 'delete',
    path: '/admin/dlq/{id}',
    tag: 'dead letters',
    access,
    summary: 'Discard a dead letter',
    answers: { 204: { description: 'Discarded' } },
  },
  {
    operationId: 'getTask',
    method: 'get',
    path: '/admin/tasks/{id}',
    tag: 'tasks',
    access,
    summary: 'Get a task of any kind of work, with what it waits for',
    answers: { 200: { description: 'The task', schema: taskSchema } },
  },
  {
    operationId: 'listJobs',
    method: 'get',
    path: '/admin/jobs',
    tag: 'interval jobs',
    access,
    global: true,
    summary: 'List interval jobs with their latest run',
    answers: {
      200: {
        description: 'The jobs',
        schema: named('IntervalJobs', z.object({ jobs: z.array(jobSchema) })),
      },
    },
  },
  {
    operationId: 'runJob',
    method: 'post',
    path: '/admin/jobs/{name}/run',
    tag: 'interval jobs',
    access,
    global: true,
    summary: 'Run an interval job once, now',
    answers: {
      200: {
        description: 'Report of the run',
        schema: named(
          'JobReport',
          z.object({ name: z.string(), report: z.record(z.string(), z.number()) }),
        ),
      },
    },
  },
  {
    operationId: 'getStatistics',
    method: 'get',
    path: '/admin/statistics',
    tag: 'statistics',
    access,
    summary: 'Get stage figures of the last day and figures on reading quality',
    answers: { 200: { description: 'Figures', schema: figures } },
  },
  {
    operationId: 'listAuditEntries',
    method: 'get',
    path: '/admin/audit',
    tag: 'audit log',
    access: 'admin',
    summary: 'List who did what to which document, key or setting, newest first',
    query: auditQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named(
          'AuditPage',
          z.object({ entries: z.array(auditEntry), nextCursor: z.string().nullable() }),
        ),
      },
    },
  },
];
