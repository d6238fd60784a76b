import { z } from 'zod';
import { origins } from '../../../domain/known-types.ts';
import { schemaDefinition } from '../../../domain/schema/index.ts';
import { schemaQuery, scopeQuery } from '../../routes/schemas.ts';
import type { Operation } from '../operation.ts';

const tag = 'schemas';

const listed = z.looseObject({
  name: z.string(),
  origin: z.enum(origins).describe('Whether it came with Millrace or is of the workspace'),
  version: z.int(),
});
const schema = listed.extend({
  createdAt: z.iso.datetime().optional(),
  retiredAt: z.iso.datetime().nullish().describe('Since when it is out of force'),
  definition: schemaDefinition,
});

const ofOne = (about: Omit<Operation, 'path' | 'tag'>): Operation => ({
  path: '/v1/schemas/{name}',
  tag,
  ...about,
});

export const schemaOperations: Operation[] = [
  {
    method: 'get',
    path: '/v1/schemas',
    tag,
    access: 'user',
    summary: 'Lists the types of documents that a workspace knows: its own, then those that ship',
    query: scopeQuery,
    answers: {
      200: {
        description: 'All of them',
        schema: z.object({ schemas: z.array(listed.extend({ title: z.string() })) }),
      },
    },
  },
  ofOne({
    method: 'get',
    access: 'user',
    summary: 'Shows the schema of a type, also one that is no longer in force',
    query: schemaQuery,
    answers: { 200: { description: 'The schema', schema } },
  }),
  ofOne({
    method: 'put',
    access: 'operator',
    summary: 'Puts an own schema of the workspace into force',
    query: scopeQuery,
    body: schemaDefinition,
    answers: {
      200: { description: 'It was in force already', schema },
      201: { description: 'A new version is in force', schema },
    },
  }),
  ofOne({
    method: 'delete',
    access: 'operator',
    summary:
      'Takes an own schema of the workspace out of force; a shipped one that it stood in for is back',
    query: scopeQuery,
    answers: { 204: { description: 'Out of force' } },
  }),
];
