import { z } from 'zod';
import { version } from '../../version.ts';
import type { Operation, OperationAnswer } from './operation.ts';
import { problemSchema } from './schemas.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document for these operations. */
export function toOpenApi(operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version,
      description: 'Accepts documents, reads them, extracts structured data, and validates it.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'API key (mr_…)' } },
    },
  };
}

function describe(operation: Operation): Json {
  const { tag, summary, access, path, query, headers = {}, body, uploads, answers } = operation;
  const content = {
    ...(body && { 'application/json': { schema: jsonSchema(body, 'input') } }),
    ...Object.fromEntries(
      Object.entries(uploads ?? {}).map(([type, description]) => [
        type,
        uploadOf(type, description),
      ]),
    ),
  };
  return {
    tags: [tag],
    summary,
    ...(access === 'open' ? { security: [] } : { security: [{ key: [] }], 'x-role': access }),
    parameters: [
      ...pathParameters(path),
      ...(query ? queryParameters(query) : []),
      ...Object.entries(headers).map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
    ],
    ...(Object.keys(content).length > 0 && { requestBody: { content } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)]),
      ),
      default: {
        description: 'Error',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  };
}

function uploadOf(type: string, description: string): Json {
  if (type !== 'multipart/form-data') return { schema: { description } };
  return {
    schema: { type: 'object', description, properties: { file: { type: 'array', items: {} } } },
  };
}

function answerOf({ description, schema, mediaType }: OperationAnswer): Json {
  const content = {
    ...(mediaType && { [mediaType]: { schema: {} } }),
    ...(schema && { 'application/json': { schema: jsonSchema(schema, 'output') } }),
  };
  return { description, ...(Object.keys(content).length > 0 && { content }) };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(name === 'id' && { format: 'uuid' }) },
  }));
}

function queryParameters(query: z.ZodObject): Json[] {
  const { properties = {}, required = [] } = jsonSchema(query, 'input');
  return Object.entries(properties).map(([name, schema]) => {
    const { description } = schema;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description && { description }),
      schema,
    };
  });
}

const objectSchema = z.looseObject({
  properties: z
    .record(z.string(), z.looseObject({ description: z.string().optional() }))
    .optional(),
  required: z.array(z.string()).optional(),
});

/** JSON Schema without `$schema`: OpenAPI 3.1 already implies the dialect. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema, ...rest } = objectSchema.parse(
    z.toJSONSchema(schema, { io, unrepresentable: 'any' }),
  );
  return rest;
}
