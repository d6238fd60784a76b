import { z } from 'zod';
import type { Operation } from '../operation.ts';

const health = z.looseObject({ status: z.string() });

export const openOperations: Operation[] = [
  {
    method: 'get',
    path: '/',
    tag: 'server',
    access: 'open',
    summary: 'Names the entrances',
    answers: {
      200: {
        description: 'Links',
        schema: z.object({ name: z.string(), links: z.record(z.string(), z.string()) }),
      },
    },
  },
  {
    method: 'get',
    path: '/livez',
    tag: 'server',
    access: 'open',
    summary: 'Whether the process gets on with its work',
    answers: {
      200: { description: 'It does', schema: health },
      503: { description: 'It does not, and why', schema: health },
    },
  },
  {
    method: 'get',
    path: '/readyz',
    tag: 'server',
    access: 'open',
    summary: 'Whether everything that the process needs answers',
    answers: {
      200: { description: 'It does', schema: health },
      503: { description: 'It does not, by dependency', schema: health },
    },
  },
  {
    method: 'get',
    path: '/metrics',
    tag: 'server',
    access: 'open',
    summary: 'Metrics for Prometheus',
    answers: { 200: { description: 'Metrics', mediaType: 'text/plain' } },
  },
  {
    method: 'get',
    path: '/openapi.json',
    tag: 'server',
    access: 'open',
    summary: 'This description',
    answers: { 200: { description: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) } },
  },
];
