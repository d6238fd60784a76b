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
  open('/', 'Names the entrances', {
    200: {
      description: 'Links',
      schema: z.object({ name: z.string(), links: z.record(z.string(), z.string()) }),
    },
  }),
  open('/livez', 'Whether the process gets on with its work', {
    200: { description: 'It does', schema: health },
    503: { description: 'It does not, and why', schema: health },
  }),
  open('/readyz', 'Whether everything that the process needs answers', {
    200: { description: 'It does', schema: health },
    503: { description: 'It does not, by dependency', schema: health },
  }),
  open('/metrics', 'Metrics for Prometheus', {
    200: { description: 'Metrics', mediaType: 'text/plain' },
  }),
  open('/openapi.json', 'This description', {
    200: { description: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) },
  }),
];
