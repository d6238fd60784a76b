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

/** Many dead letters replayed together: what was asked for, and how far it has come. */
export const replays = pgTable(
  'replays',
  {
    id: uuid('id').primaryKey(),
    /** The workspace of whoever asked; null = all of them. */
    workspaceId: uuid('workspace_id').references(() => workspaces.id),
    filters: jsonb('filters').$type<LetterFilters>().notNull(),
    overrides: jsonb('overrides').$type<Overrides>().notNull(),
    sealedPassword: text('sealed_password'),
    /** Documents begun a second; null = as fast as it goes. */
    rate: doublePrecision('rate'),
    /** Letters to look at. */
    total: integer('total').notNull(),
    /** Whether more would have fitted. */
    more: boolean('more').notNull(),
    state: text('state', { enum: ['running', 'done', 'cancelled'] })
      .notNull()
      .default('running'),
    handled: integer('handled').notNull().default(0),
    /** The letter that was handled last; older ones are to follow. */
    position: uuid('position'),
    outcomes: jsonb('outcomes').$type<Record<string, number>>().notNull(),
    /** Why some were refused, each reason once. */
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
