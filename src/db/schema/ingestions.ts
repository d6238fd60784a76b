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

/**
 * One run of a document through the pipeline. Reprocessing creates a new one; the old one is kept
 * as long as history.
 */
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
    /** The batch that counts this ingestion. */
    batchId: uuid('batch_id').references(() => batches.id),
    /**
     * The batch that must have the turn before it starts; null = it starts as soon as the window
     * has room.
     */
    waitsFor: uuid('waits_for').references(() => batches.id),
    /** When it entered the window of its workspace; null = still waiting, without a task. */
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
    /** Numbers of the repaired pages, in their order in that file. */
    preprocessedPages: jsonb('preprocessed_pages').$type<number[]>(),
    documentType: text('document_type'),
    /** The schema used for extraction. */
    schemaOrigin: text('schema_origin', { enum: origins }),
    schemaVersion: integer('schema_version'),
    structuredData: jsonb('structured_data').$type<Record<string, unknown>>(),
    /** What was extracted, once a person has changed `structuredData`. */
    machineData: jsonb('machine_data').$type<Record<string, unknown>>(),
    /** How often a person has changed `structuredData`. */
    revision: integer('revision').notNull().default(0),
    /** The result of the gate per field. */
    verdict: jsonb('verdict').$type<Record<string, unknown>>(),
    validStructuredData: boolean('valid_structured_data'),
    extractionModel: text('extraction_model'),
    extractionInputTokens: integer('extraction_input_tokens').notNull().default(0),
    extractionOutputTokens: integer('extraction_output_tokens').notNull().default(0),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull().default(0),
    /** Id of the last booking, so that a booking repeated after a lost response counts once. */
    lastBooking: uuid('last_booking'),
    /** Settings for this run only. */
    overrides: jsonb('overrides').$type<Overrides>().notNull().default({}),
    /** Password of an encrypted document; stored encrypted and deleted when the run ends. */
    sealedPassword: text('sealed_password'),
    /** W3C traceparent of its trace; null = not traced. */
    traceparent: text('traceparent'),
    problems: jsonb('problems').$type<Problem[]>().notNull().default([]),
  },
  (table) => [
    index('ingestions_document').on(table.documentId, table.createdAt),
    uniqueIndex('ingestions_one_live')
      .on(table.documentId)
      .where(sql`${table.status} = 'in-progress'`),
    // The condition avoids `status`, so that queries with these words can use no other index.
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
