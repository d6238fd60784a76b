import { z } from 'zod';
import { version } from '../../version.ts';
import { Components, type Json } from './components.ts';
import type { Operation, OperationAnswer } from './operation.ts';
import { problemSchema } from './schemas.ts';

/** The OpenAPI 3.1 document for these operations. */
export function toOpenApi(operations: readonly Operation[]): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const description = describe(operation, components);
    paths[operation.path] = { ...paths[operation.path], [operation.method]: description };
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
      schemas: components.schemas,
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'API key (mr_…)' } },
    },
  };
}

function describe(operation: Operation, components: Components): Json {
  const { operationId, tag, summary, access, answers } = operation;
  const problem = problemContent(components);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(access === 'open' ? { security: [] } : { security: [{ key: [] }], 'x-role': access }),
    parameters: parametersOf(operation),
    ...requestOf(operation, components),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          Number(status) >= 400 && !answer.schema
            ? { description: answer.description, content: problem }
            : answerOf(answer, components),
        ]),
      ),
      default: { description: 'Error', content: problem },
    },
  };
}

function problemContent(components: Components): Json {
  return { 'application/problem+json': { schema: components.refer(problemSchema, 'output') } };
}

function parametersOf({ path, query, headers = {}, idempotent }: Operation): Json[] {
  return [
    ...pathParameters(path),
    ...(query ? queryParameters(query) : []),
    ...Object.entries(headers).map(([name, description]) => header(name, description, true)),
    ...(idempotent
      ? [header('Idempotency-Key', 'Makes it safe to repeat the request', false)]
      : []),
  ];
}

function header(name: string, description: string, required: boolean): Json {
  return { name, in: 'header', required, description, schema: { type: 'string' } };
}

function requestOf({ body, uploads = {} }: Operation, components: Components): Json {
  const content = {
    ...(body && { 'application/json': { schema: components.refer(body, 'input') } }),
    ...Object.fromEntries(
      Object.entries(uploads).map(([type, description]) => [type, uploadOf(type, description)]),
    ),
  };
  if (Object.keys(content).length === 0) return {};
  // An absent body counts as an empty object.
  const required = !body?.safeParse({}).success;
  return { requestBody: { required, content } };
}

function uploadOf(type: string, description: string): Json {
  if (type !== 'multipart/form-data') return { schema: { description } };
  return {
    schema: { type: 'object', description, properties: { file: { type: 'array', items: {} } } },
  };
}

function answerOf(
  { description, schema, mediaType }: OperationAnswer,
  components: Components,
): Json {
  const content = {
    ...(mediaType && { [mediaType]: { schema: {} } }),
    ...(schema && { 'application/json': { schema: components.refer(schema, 'output') } }),
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
  const { properties = {}, required = [] } = jsonSchema(query);
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
function jsonSchema(schema: z.ZodType) {
  const { $schema, ...rest } = objectSchema.parse(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  );
  return rest;
}
