import { z } from 'zod';
import { uploadQuery } from '../../upload/receive.ts';
import type { Operation } from '../operation.ts';
import { receivedSchema } from '../schemas.ts';

/** Uploads, with or without a batch. */
export const upload = {
  query: uploadQuery.extend({
    name: z.string().optional().describe('File name of a document sent as the raw body'),
  }),
  uploads: {
    'application/octet-stream': 'The bytes of one document',
    'multipart/form-data':
      'One file per part; a field `type` sets the document type of the files after it',
  },
  answers: {
    202: {
      description: 'Accepted; processing starts automatically',
      schema: z.union([receivedSchema, z.looseObject({ documents: z.array(receivedSchema) })]),
    },
  },
} satisfies Partial<Operation>;
