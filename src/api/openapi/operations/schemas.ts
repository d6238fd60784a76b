import { z } from 'zod';
import { origins } from '../../../domain/known-types.ts';
import { schemaDefinition } from '../../../domain/schema/index.ts';
import { named } from '../../named.ts';
import { schemaQuery, scopeQuery } from '../../routes/schemas.ts';
import type { Operation } from '../operation.ts';

const tag = 'schemas';

const listed = named(
  'NamedSchema',
  z.looseObject({
    name: z.string(),
    origin: z.enum(origins).describe('Whether it ships with Millrace or belongs to the workspace'),
    version: z.int(),
  }),
);
const schema = named(
  'Schema',
  listed.extend({
    createdAt: z.iso.datetime().optional(),
    retiredAt: z.iso.datetime().nullish().describe('When the schema was retired'),
    definition: named('StoredSchemaDefinition', schemaDefinition.clone(schemaDefinition.def)),
  }),
);

const ofOne = (about: Omit<Operation, 'path' | 'tag'>): Operation => ({
  path: '/v1/schemas/{name}',
  tag,
  ...about,
});

export const schemaOperations: Operation[] = [
  {
    operationId: 'listSchemas',
    method: 'get',
    path: '/v1/schemas',
    tag,
    access: 'user',
    summary: 'List the document types of a workspace: its own, then the shipped ones',
    query: scopeQuery,
    answers: {
      200: {
        description: 'All schemas',
        schema: named(
          'Schemas',
          z.object({
            schemas: z.array(named('ListedSchema', listed.extend({ title: z.string() }))),
          }),
        ),
      },
    },
  },
  ofOne({
    operationId: 'getSchema',
    method: 'get',
    access: 'user',
    summary: 'Get the schema of a document type, including retired versions',
    query: schemaQuery,
    answers: { 200: { description: 'The schema', schema } },
  }),
  ofOne({
    operationId: 'putSchema',
    method: 'put',
    access: 'operator',
    summary: 'Create or update a schema of the workspace; every change is a new version',
    query: scopeQuery,
    body: named('SchemaDefinition', schemaDefinition),
    answers: {
      200: { description: 'Unchanged; this definition was already active', schema },
      201: { description: 'A new version is active', schema },
    },
  }),
  ofOne({
    operationId: 'retireSchema',
    method: 'delete',
    access: 'operator',
    summary:
      'Retire a schema of the workspace; a shipped schema that it replaced becomes active again',
    query: scopeQuery,
    answers: { 204: { description: 'Retired' } },
  }),
];
