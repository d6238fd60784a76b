import { z } from 'zod';
import { capabilities } from '../../../content/format.ts';
import { named } from '../../named.ts';
import type { Operation } from '../operation.ts';

const format = named(
  'Format',
  z.object({
    title: z.string(),
    mediaTypes: z.array(z.string()),
    extensions: z.array(z.string()),
    capabilities: z.array(z.enum(capabilities)),
  }),
);

export const formatOperations: Operation[] = [
  {
    operationId: 'listFormats',
    method: 'get',
    path: '/v1/formats',
    tag: 'documents',
    access: 'user',
    summary: 'List the accepted formats and what is done with each',
    answers: {
      200: {
        description: 'Formats',
        schema: named('Formats', z.object({ formats: z.array(format) })),
      },
    },
  },
];
