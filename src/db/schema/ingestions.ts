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
import type { Overrides } from '../../domain/overrides.ts';
import type { Problem } from '../../domain/problem.ts';
import { at, createdAt } from './columns.ts';
import { documents } from './documents.ts';

/** One run of a document through the pipeline. Reprocessing makes a new one; the old stays for audit. */
export const ingestions = pgTable(
  'ingestions',
  {
    id: uuid('id').primaryKey(),
    documentId: uuid('document_id')
      .notNull()
      .references(() => documents.id),
    status: text('status', { enum: ['in-progress', 'completed', 'failed', 'cancelled'] })
      .notNull()
      .default('in-progress'),
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
    structuredData: jsonb('structured_data').$type<Record<string, unknown>>(),
    /** What the gate said, field by field. */
    verdict: jsonb('verdict').$type<Record<string, unknown>>(),
    validStructuredData: boolean('valid_structured_data'),
    extractionModel: text('extraction_model'),
    extractionInputTokens: integer('extraction_input_tokens').notNull().default(0),
    extractionOutputTokens: integer('extraction_output_tokens').notNull().default(0),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull().default(0),
    /** What whoever asked for this run wants done differently. */
    overrides: jsonb('overrides').$type<Overrides>().notNull().default({}),
    problems: jsonb('problems').$type<Problem[]>().notNull().default([]),
  },
  (table) => [
    index('ingestions_document').on(table.documentId, table.createdAt),
    uniqueIndex('ingestions_one_live').on(table.documentId).where(sql`${table.status} = 'in-progress'`),
    check('ingestions_ended', sql`(${table.completedAt} is not null) = (${table.status} <> 'in-progress')`),
  ],
);
