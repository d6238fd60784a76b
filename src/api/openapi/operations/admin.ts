import { z } from 'zod';
import { groupQuery, listQuery } from '../../routes/dead-letters.ts';
import { replayAllBody, replaysQuery } from '../../routes/replays.ts';
import { runAgain } from '../../run-again.ts';
import type { Operation } from '../operation.ts';
import { groupSchema, jobSchema, letterSchema, nextCursor, replaySchema } from '../schemas.ts';

const access = 'operator';

const outcome = z.looseObject({
  id: z.uuid(),
  outcome: z.string(),
  detail: z.string(),
  replayedAs: z.uuid().nullable(),
  documentId: z.uuid(),
  href: z.string(),
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
    summary: 'Lists dead letters, newest first',
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
    summary: 'Counts open dead letters by kind of failure',
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
    summary: 'Gives all documents whose letters fit another run, or tells what that would do',
    body: replayAllBody,
    answers: {
      200: {
        description: 'What would be done',
        schema: z.looseObject({ dryRun: z.literal(true), matching: z.int() }),
      },
      202: {
        description:
          'Begun; what is not done yet follows in the background, to be seen at Location',
        schema: replaySchema.extend({ dryRun: z.literal(false) }),
      },
      422: { description: 'A provider that is not configured; the answer names those that are' },
    },
  },
  {
    method: 'get',
    path: '/admin/dlq/replays',
    tag: 'dead letters',
    access,
    summary: 'Lists replays of many letters, newest first',
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
    summary: 'Tells how far a replay has come',
    answers: { 200: { description: 'The replay', schema: replaySchema } },
  },
  {
    method: 'delete',
    path: '/admin/dlq/replays/{id}',
    tag: 'dead letters',
    access,
    summary: 'Stops a replay; documents that are on their way stay so',
    answers: { 204: { description: 'Stopped' } },
  },
  {
    method: 'get',
    path: '/admin/dlq/{id}',
    tag: 'dead letters',
    access,
    summary: 'Shows all that is known of a dead letter',
    answers: { 200: { description: 'The letter', schema: letterSchema } },
  },
  {
    method: 'post',
    path: '/admin/dlq/{id}/replay',
    tag: 'dead letters',
    access,
    summary:
      'Gives the document of a letter another run; done before or no longer needed, nothing happens',
    body: runAgain,
    answers: {
      200: { description: 'Nothing was done, and why', schema: outcome },
      202: { description: 'On its way', schema: outcome },
      422: { description: 'A provider that is not configured; the answer names those that are' },
    },
  },
  {
    method: 'delete',
    path: '/admin/dlq/{id}',
    tag: 'dead letters',
    access,
    summary: 'Closes a letter without another run',
    answers: { 204: { description: 'Closed' } },
  },
  {
    method: 'get',
    path: '/admin/jobs',
    tag: 'interval jobs',
    access,
    summary: 'Lists interval jobs with their latest pass',
    answers: { 200: { description: 'The jobs', schema: z.object({ jobs: z.array(jobSchema) }) } },
  },
  {
    method: 'post',
    path: '/admin/jobs/{name}/run',
    tag: 'interval jobs',
    access,
    summary: 'Makes one pass now',
    answers: {
      200: {
        description: 'What the pass did',
        schema: z.object({ name: z.string(), report: z.record(z.string(), z.number()) }),
      },
    },
  },
  {
    method: 'get',
    path: '/admin/statistics',
    tag: 'statistics',
    access,
    summary: 'Tells how stages did in the last day and how well documents could be read',
    answers: { 200: { description: 'The figures', schema: figures } },
  },
];
