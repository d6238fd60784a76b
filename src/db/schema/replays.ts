import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { LetterFilters } from '../../domain/letter-filters.ts';
import type { Overrides } from '../../domain/overrides.ts';
import { at, createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** A bulk replay of dead letters: the request and its progress. */
export const replays = pgTable(
  'replays',
  {
    id: uuid('id').primaryKey(),
    /** The workspace of the requester; null = all. */
    workspaceId: uuid('workspace_id').references(() => workspaces.id),
    filters: jsonb('filters').$type<LetterFilters>().notNull(),
    overrides: jsonb('overrides').$type<Overrides>().notNull(),
    sealedPassword: text('sealed_password'),
    /** Documents started per second; null = no limit. */
    rate: doublePrecision('rate'),
    /** Dead letters to handle. */
    total: integer('total').notNull(),
    /** Whether more dead letters matched than this replay handles. */
    more: boolean('more').notNull(),
    state: text('state', { enum: ['running', 'done', 'cancelled'] })
      .notNull()
      .default('running'),
    handled: integer('handled').notNull().default(0),
    /** The last dead letter handled; older ones follow. */
    position: uuid('position'),
    outcomes: jsonb('outcomes').$type<Record<string, number>>().notNull(),
    /** Distinct reasons why dead letters were refused. */
    reasons: jsonb('reasons').$type<string[]>().notNull().default([]),
    createdAt: createdAt(),
    finishedAt: at('finished_at'),
  },
  (table) => [
    index('replays_running').on(table.createdAt).where(sql`${table.state} = 'running'`),
    check(
      'replays_finished',
      sql`(${table.finishedAt} is not null) = (${table.state} <> 'running')`,
    ),
    check('replays_password', sql`${table.sealedPassword} is null or ${table.state} = 'running'`),
  ],
);
