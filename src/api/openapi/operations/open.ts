import { z } from 'zod';
import type { Operation } from '../operation.ts';

const health = z.looseObject({ status: z.string() });

const open = (path: string, summary: string, answers: Operation['answers']): Operation => ({
  method: 'get',
  path,
  tag: 'server',
  access: 'open',
  summary,
  answers,
});

export const openOperations: Operation[] = [
  open('/', 'List the entry points', {
    200: {
      description: 'Links',
      schema: z.object({ name: z.string(), links: z.record(z.string(), z.string()) }),
    },
  }),
  open('/livez', 'Check that the process makes progress', {
    200: { description: 'It does', schema: health },
    503: { description: 'It does not; `reasons` explains why', schema: health },
  }),
  open('/readyz', 'Check that the dependencies of the process respond', {
    200: {
      description: 'They do; `missing` names what the process can do without for a while',
      schema: health,
    },
    503: { description: 'Some do not; `checks` shows which', schema: health },
  }),
  open('/metrics', 'Get metrics in the Prometheus format', {
    200: { description: 'Metrics', mediaType: 'text/plain' },
  }),
  open('/openapi.json', 'Get this description', {
    200: { description: 'OpenAPI 3.1 document', schema: z.looseObject({ openapi: z.string() }) },
  }),
];
