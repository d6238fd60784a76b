import { z } from 'zod';
import { named } from '../../named.ts';
import type { Operation } from '../operation.ts';

const health = named('Health', z.looseObject({ status: z.string() }));

const open = (
  operationId: string,
  path: string,
  summary: string,
  answers: Operation['answers'],
): Operation => ({
  operationId,
  method: 'get',
  path,
  tag: 'server',
  access: 'open',
  summary,
  answers,
});

export const openOperations: Operation[] = [
  open('listEntryPoints', '/', 'List the entry points', {
    200: {
      description: 'Links',
      schema: named(
        'EntryPoints',
        z.object({ name: z.string(), links: z.record(z.string(), z.string()) }),
      ),
    },
  }),
  open('checkLiveness', '/livez', 'Check that the process makes progress', {
    200: { description: 'It does', schema: health },
    503: { description: 'It does not; `reasons` explains why', schema: health },
  }),
  open('checkReadiness', '/readyz', 'Check that the dependencies of the process respond', {
    200: {
      description: 'They do; `missing` names what the process can do without for a while',
      schema: health,
    },
    503: { description: 'Some do not; `checks` shows which', schema: health },
  }),
  open('getMetrics', '/metrics', 'Get metrics in the Prometheus format', {
    200: { description: 'Metrics', mediaType: 'text/plain' },
  }),
  open('getDescription', '/openapi.json', 'Get this description', {
    200: {
      description: 'OpenAPI 3.1 document',
      schema: named('Description', z.looseObject({ openapi: z.string() })),
    },
  }),
];
