import { z } from 'zod';
import { transcription } from '../../../domain/transcription.ts';
import { named } from '../../named.ts';
import { textQuery } from '../../routes/document-content.ts';
import { exportQuery } from '../../routes/document-export.ts';
import { listQuery } from '../../routes/documents.ts';
import { runAgain } from '../../run-again.ts';
import type { Operation } from '../operation.ts';
import { documentSchema, nextCursor, resultSchema, startedSchema, whySchema } from '../schemas.ts';
import { upload } from './upload.ts';

const tag = 'documents';
const access = 'user';

export const documentOperations: Operation[] = [
  {
    operationId: 'uploadDocuments',
    method: 'post',
    path: '/v1/documents',
    tag,
    access,
    summary: 'Upload documents: one as the raw body, or several as a form',
    ...upload,
  },
  {
    operationId: 'listDocuments',
    method: 'get',
    path: '/v1/documents',
    tag,
    access,
    summary: 'List documents, newest first',
    query: listQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named('DocumentPage', z.object({ documents: z.array(documentSchema), nextCursor })),
      },
    },
  },
  {
    operationId: 'getDocument',
    method: 'get',
    path: '/v1/documents/{id}',
    tag,
    access,
    summary: 'Get a document with its status, stages, problems, quality and data',
    answers: { 200: { description: 'The document', schema: documentSchema } },
  },
  {
    operationId: 'deleteDocument',
    method: 'delete',
    path: '/v1/documents/{id}',
    tag,
    access,
    summary: 'Delete a document and its content',
    answers: { 204: { description: 'Deleted' } },
  },
  {
    operationId: 'getResult',
    method: 'get',
    path: '/v1/documents/{id}/result',
    tag,
    access,
    summary: 'Get the result of a document; a conflict while it is being processed',
    answers: { 200: { description: 'The result', schema: resultSchema } },
  },
  {
    operationId: 'getText',
    method: 'get',
    path: '/v1/documents/{id}/text',
    tag,
    access,
    summary: 'Get the text of a document, as plain text or page by page',
    query: textQuery,
    answers: {
      200: {
        description: 'The text',
        mediaType: 'text/plain',
        schema: named('Transcription', transcription),
      },
    },
  },
  {
    operationId: 'getArtifact',
    method: 'get',
    path: '/v1/documents/{id}/artifacts/{name}',
    tag,
    access,
    summary: 'Download the original, the transcription or the preprocessed pages',
    answers: {
      200: { description: 'The content', mediaType: 'application/octet-stream' },
      307: { description: 'Redirect to a storage link that is valid for five minutes' },
    },
  },
  {
    operationId: 'reprocessDocument',
    method: 'post',
    path: '/v1/documents/{id}/reprocess',
    tag,
    access,
    summary: 'Reprocess a document',
    body: runAgain,
    answers: { 202: { description: 'Queued for processing', schema: startedSchema } },
  },
  {
    operationId: 'cancelDocument',
    method: 'post',
    path: '/v1/documents/{id}/cancel',
    tag,
    access,
    summary: 'Cancel a document that is being processed',
    answers: { 200: { description: 'Cancelled', schema: startedSchema } },
  },
  {
    operationId: 'explainDocument',
    method: 'get',
    path: '/v1/documents/{id}/why',
    tag,
    access,
    summary: 'Explain what a document is waiting for, since when, and until when at the latest',
    answers: { 200: { description: 'The reason', schema: whySchema } },
  },
  {
    operationId: 'exportDocuments',
    method: 'get',
    path: '/v1/documents/export',
    tag,
    access,
    summary: 'Export the extracted data of completed documents as JSON Lines or CSV',
    query: exportQuery,
    answers: {
      200: {
        description: 'One object per document, or in CSV (text/csv) one row per line item',
        mediaType: 'application/x-ndjson',
      },
    },
  },
];
