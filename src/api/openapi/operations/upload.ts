import { z } from 'zod';
import { uploadQuery } from '../../upload/receive.ts';
import type { Operation } from '../operation.ts';
import { receivedSchema } from '../schemas.ts';

/** How documents are sent, wherever they go. */
export const upload = {
  query: uploadQuery.extend({
    name: z.string().optional().describe('File name of a document that is sent as the body'),
  }),
  uploads: {
    'application/octet-stream': 'The bytes of one document',
    'multipart/form-data': 'One file a part; a field `type` says what the files behind it are',
  },
  answers: {
    202: {
      description: 'Taken in; processing begins by itself',
      schema: z.union([receivedSchema, z.looseObject({ documents: z.array(receivedSchema) })]),
    },
  },
} satisfies Partial<Operation>;
