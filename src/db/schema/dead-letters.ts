import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';
import { ingestionKind, tasks } from './tasks.ts';
import { workspaces } from './workspaces.ts';

/** A task that is not retried until a person replays it. */
export const deadLetters = pgTable(
  'dead_letters',
  {
    id: uuid('id').primaryKey(),
    taskId: uuid('task_id')
      .notNull()
      .references(() => tasks.id),
    /** As in the task. */
    subjectKind: text('subject_kind').notNull().default(ingestionKind),
    ingestionId: uuid('ingestion_id'),
    subjectId: uuid('subject_id'),
    workspaceId: uuid('workspace_id').references(() => workspaces.id),
    stage: text('stage').notNull(),
    code: text('code').notNull(),
    category: text('category', { enum: ['rejected', 'exhausted', 'gave-up', 'lost'] }).notNull(),
    message: text('message').notNull(),
    stack: text('stack'),
    /**
     * Equal for failures with the same stage, code and message pattern, which can be replayed as a
     * group.
     */
    fingerprint: text('fingerprint').notNull(),
    attempts: integer('attempts').notNull(),
    worker: text('worker'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    state: text('state', { enum: ['open', 'replayed', 'discarded'] })
      .notNull()
      .default('open'),
    firstSeen: at('first_seen').notNull().defaultNow(),
    lastSeen: at('last_seen').notNull().defaultNow(),
    closedAt: at('closed_at'),
    replayedAs: uuid('replayed_as'),
  },
  (table) => [
    uniqueIndex('dead_letters_one_open').on(table.taskId).where(sql`${table.state} = 'open'`),
    index('dead_letters_task').on(table.taskId),
    index('dead_letters_ingestion').on(table.ingestionId),
    index('dead_letters_group').on(table.fingerprint, table.lastSeen),
    index('dead_letters_open_newest').on(table.id).where(sql`${table.state} = 'open'`),
    index('dead_letters_open').on(table.lastSeen).where(sql`${table.state} = 'open'`),
  ],
);
