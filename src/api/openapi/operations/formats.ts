import { z } from 'zod';
import { capabilities } from '../../../content/format.ts';
import type { Operation } from '../operation.ts';

const format = z.object({
  title: z.string(),
  mediaTypes: z.array(z.string()),
  extensions: z.array(z.string()),
  capabilities: z.array(z.enum(capabilities)),
});

export const formatOperations: Operation[] = [
  {
    method: 'get',
    path: '/v1/formats',
    tag: 'documents',
    access: 'user',
    summary: 'List the accepted formats and what is done with each',
    answers: { 200: { description: 'Formats', schema: z.object({ formats: z.array(format) }) } },
  },
];
