import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ingestionStatuses } from '../../domain/ingestion-status.ts';
import { origins } from '../../domain/known-types.ts';
import type { Overrides } from '../../domain/overrides.ts';
import type { Problem } from '../../domain/problem.ts';
import { batches } from './batches.ts';
import { at, createdAt } from './columns.ts';
import { documents } from './documents.ts';
import { workspaces } from './workspaces.ts';

/** One run of a document through the pipeline. Reprocessing makes a new one; the old stays for audit. */
export const ingestions = pgTable(
  'ingestions',
  {
    id: uuid('id').primaryKey(),
    documentId: uuid('document_id')
      .notNull()
      .references(() => documents.id),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** The batch that counts it. */
    batchId: uuid('batch_id').references(() => batches.id),
    /** The batch without whose turn it does not start; null = it may start as soon as there is room. */
    waitsFor: uuid('waits_for').references(() => batches.id),
    /** Since when it has a place in its workspace's window; null = it waits, without a task. */
    admittedAt: at('admitted_at'),
    status: text('status', { enum: ingestionStatuses }).notNull().default('in-progress'),
    createdAt: createdAt(),
    startedAt: at('started_at'),
    completedAt: at('completed_at'),
    attemptCount: integer('attempt_count').notNull().default(0),
    pages: integer('pages'),
    language: text('language'),
    transcriptionKey: text('transcription_key'),
    transcriptionSha256: text('transcription_sha256'),
    transcriptionQuality: real('transcription_quality'),
    preprocessedKey: text('preprocessed_key'),
    preprocessedType: text('preprocessed_type'),
    /** The pages that were repaired, in the order in which they stand in that file. */
    preprocessedPages: jsonb('preprocessed_pages').$type<number[]>(),
    documentType: text('document_type'),
    /** Which schema of that name it was extracted by. */
    schemaOrigin: text('schema_origin', { enum: origins }),
    schemaVersion: integer('schema_version'),
    structuredData: jsonb('structured_data').$type<Record<string, unknown>>(),
    /** What the gate said, field by field. */
    verdict: jsonb('verdict').$type<Record<string, unknown>>(),
    validStructuredData: boolean('valid_structured_data'),
    extractionModel: text('extraction_model'),
    extractionInputTokens: integer('extraction_input_tokens').notNull().default(0),
    extractionOutputTokens: integer('extraction_output_tokens').notNull().default(0),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull().default(0),
    /** What was added last: booked twice, because the first answer was lost, it counts once. */
    lastBooking: uuid('last_booking'),
    /** What whoever asked for this run wants done differently. */
    overrides: jsonb('overrides').$type<Overrides>().notNull().default({}),
    /** Opens the document, if it is encrypted: sealed, and gone when the run ends. */
    sealedPassword: text('sealed_password'),
    /** Where its trace begins, as W3C writes it; null = it is not traced. */
    traceparent: text('traceparent'),
    problems: jsonb('problems').$type<Problem[]>().notNull().default([]),
  },
  (table) => [
    index('ingestions_document').on(table.documentId, table.createdAt),
    uniqueIndex('ingestions_one_live')
      .on(table.documentId)
      .where(sql`${table.status} = 'in-progress'`),
    // Not by status: statements that ask in these words can be answered by no other index.
    index('ingestions_waiting')
      .on(table.workspaceId, table.waitsFor, table.createdAt, table.id)
      .where(sql`${table.completedAt} is null and ${table.admittedAt} is null`),
    index('ingestions_in_flight')
      .on(table.workspaceId, table.batchId)
      .where(sql`${table.completedAt} is null and ${table.admittedAt} is not null`),
    index('ingestions_batch_ended')
      .on(table.batchId, table.completedAt)
      .where(sql`${table.batchId} is not null and ${table.completedAt} is not null`),
    index('ingestions_batch_failed')
      .on(table.batchId, table.id)
      .where(sql`${table.batchId} is not null and ${table.status} = 'failed'`),
    check(
      'ingestions_password',
      sql`${table.sealedPassword} is null or ${table.status} = 'in-progress'`,
    ),
    check(
      'ingestions_ended',
      sql`(${table.completedAt} is not null) = (${table.status} <> 'in-progress')`,
    ),
  ],
);
