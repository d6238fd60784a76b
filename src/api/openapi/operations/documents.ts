import { z } from 'zod';
import { transcription } from '../../../domain/transcription.ts';
import { textQuery } from '../../routes/document-content.ts';
import { listQuery } from '../../routes/documents.ts';
import { runAgain } from '../../run-again.ts';
import type { Operation } from '../operation.ts';
import { documentSchema, nextCursor, resultSchema, startedSchema, whySchema } from '../schemas.ts';
import { upload } from './upload.ts';

const tag = 'documents';
const access = 'user';

export const documentOperations: Operation[] = [
  {
    method: 'post',
    path: '/v1/documents',
    tag,
    access,
    summary: 'Takes documents in: one as the body, or one or many as a form',
    ...upload,
  },
  {
    method: 'get',
    path: '/v1/documents',
    tag,
    access,
    summary: 'Lists documents, newest first',
    query: listQuery,
    answers: {
      200: {
        description: 'A page',
        schema: z.object({ documents: z.array(documentSchema), nextCursor }),
      },
    },
  },
  {
    method: 'get',
    path: '/v1/documents/{id}',
    tag,
    access,
    summary: 'Tells status, stages, problems, quality and data',
    answers: { 200: { description: 'The document', schema: documentSchema } },
  },
  {
    method: 'delete',
    path: '/v1/documents/{id}',
    tag,
    access,
    summary: 'Removes a document and its bytes',
    answers: { 204: { description: 'Removed' } },
  },
  {
    method: 'get',
    path: '/v1/documents/{id}/result',
    tag,
    access,
    summary: 'Tells what came out; refused while the document is on its way',
    answers: { 200: { description: 'The result', schema: resultSchema } },
  },
  {
    method: 'get',
    path: '/v1/documents/{id}/text',
    tag,
    access,
    summary: 'Gives the text that was read, as text or page by page',
    query: textQuery,
    answers: { 200: { description: 'The text', mediaType: 'text/plain', schema: transcription } },
  },
  {
    method: 'get',
    path: '/v1/documents/{id}/artifacts/{name}',
    tag,
    access,
    summary: 'Hands out the original, the transcription or the preprocessed pages',
    answers: {
      200: { description: 'The bytes', mediaType: 'application/octet-stream' },
      307: { description: 'A link to storage that holds for five minutes' },
    },
  },
  {
    method: 'post',
    path: '/v1/documents/{id}/reprocess',
    tag,
    access,
    summary: 'Sends a document through the pipeline again',
    body: runAgain,
    answers: { 202: { description: 'On its way', schema: startedSchema } },
  },
  {
    method: 'post',
    path: '/v1/documents/{id}/cancel',
    tag,
    access,
    summary: 'Stops a document that is on its way',
    answers: { 200: { description: 'Stopped', schema: startedSchema } },
  },
  {
    method: 'get',
    path: '/v1/documents/{id}/why',
    tag,
    access,
    summary: 'Says what the document waits for, since when, and until when at most',
    answers: { 200: { description: 'The reason', schema: whySchema } },
  },
];
