import {
  bigint,
  date,
  doublePrecision,
  integer,
  pgMaterializedView,
  text,
  uuid,
} from 'drizzle-orm/pg-core';

/** Stage statistics of the last day. Created by a migration, refreshed by an interval job. */
export const stageStatistics = pgMaterializedView('stage_statistics', {
  stage: text('stage').notNull(),
  outcome: text('outcome').notNull(),
  runs: bigint('runs', { mode: 'number' }).notNull(),
  meanMs: doublePrecision('mean_ms').notNull(),
  p50Ms: doublePrecision('p50_ms').notNull(),
  p95Ms: doublePrecision('p95_ms').notNull(),
  maxMs: doublePrecision('max_ms').notNull(),
}).existing();

/** Documents per workspace, day and tenth of transcription quality. */
export const qualityDistribution = pgMaterializedView('quality_distribution', {
  workspaceId: uuid('workspace_id').notNull(),
  day: date('day', { mode: 'string' }).notNull(),
  /** 0 = quality from 0 to below 0.1, … 9 = from 0.9 to 1. */
  tenth: integer('tenth').notNull(),
  documents: bigint('documents', { mode: 'number' }).notNull(),
}).existing();
