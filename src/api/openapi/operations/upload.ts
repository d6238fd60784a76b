import { z } from 'zod';
import { named } from '../../named.ts';
import { uploadQuery } from '../../upload/receive.ts';
import type { Operation } from '../operation.ts';
import { problemSchema, receivedSchema } from '../schemas.ts';

const receivedDocuments = named(
  'ReceivedDocuments',
  z.looseObject({
    documents: z.array(receivedSchema),
    errors: z.array(problemSchema.omit({ requestId: true }).extend({ name: z.string() })),
  }),
);

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
  idempotent: true,
  answers: {
    202: {
      description: 'Accepted; processing starts automatically',
      schema: named('UploadResult', z.union([receivedSchema, receivedDocuments])),
    },
  },
} satisfies Partial<Operation>;
