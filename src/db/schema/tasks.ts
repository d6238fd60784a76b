import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Held } from '../../domain/held.ts';
import { lanes } from '../../domain/lane.ts';
import { at, createdAt } from './columns.ts';
import { ingestions } from './ingestions.ts';
import { workspaces } from './workspaces.ts';

export interface TaskError {
  code: string;
  message: string;
}

/** The kind of subject whose columns are `ingestion_id` and, through it, a document. */
export const ingestionKind = 'ingestion';

/**
 * One unit of work: its stage, owner and lease. Written only by the engine.
 * `ready` tasks wait for a worker (`announcedAt`: their hint was added to Redis); `running` ones
 * are leased.
 */
export const tasks = pgTable(
  'tasks',
  {
    id: uuid('id').primaryKey(),
    /** The kind of thing the task works on: an ingestion, or any other work item. */
    subjectKind: text('subject_kind').notNull().default(ingestionKind),
    ingestionId: uuid('ingestion_id').references(() => ingestions.id),
    /** The subject if it is not an ingestion. */
    subjectId: uuid('subject_id'),
    /** Of a subject that is not an ingestion; null if it belongs to no workspace. */
    workspaceId: uuid('workspace_id').references(() => workspaces.id),
    stage: text('stage').notNull(),
    /** `large` only in stages with two lanes. */
    lane: text('lane', { enum: lanes }).notNull().default('small'),
    state: text('state', { enum: ['ready', 'running', 'done', 'dead', 'cancelled'] })
      .notNull()
      .default('ready'),
    priority: smallint('priority').notNull().default(50),
    /** Fencing token: grows with every change of ownership. */
    epoch: integer('epoch').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Failed attempts in this stage and lane; decides the next step. */
    failures: smallint('failures').notNull().default(0),
    losses: integer('losses').notNull().default(0),
    /**
     * Its worker died with several tasks. It runs alone from now on, to find the one that caused
     * it.
     */
    suspect: boolean('suspect').notNull().default(false),
    /** The lease is held by a process that runs nothing else. */
    alone: boolean('alone').notNull().default(false),
    postponed: integer('postponed').notNull().default(0),
    notBefore: at('not_before').notNull().defaultNow(),
    giveUpAt: at('give_up_at').notNull(),
    announcedAt: at('announced_at'),
    startedAt: at('started_at'),
    leaseOwner: text('lease_owner'),
    leaseUntil: at('lease_until'),
    deadline: at('deadline'),
    lastError: jsonb('last_error').$type<TaskError>(),
    /** Waits for a cost limit to be raised; this wait does not count towards `giveUpAt`. */
    held: jsonb('held').$type<Held>(),
    createdAt: createdAt(),
    endedAt: at('ended_at'),
  },
  (table) => [
    index('tasks_ingestion').on(table.ingestionId),
    index('tasks_subject')
      .on(table.subjectKind, table.subjectId)
      .where(sql`${table.subjectId} is not null`),
    check(
      'tasks_one_subject',
      sql`num_nonnulls(${table.ingestionId}, ${table.subjectId}) = 1
        and (${table.ingestionId} is not null) = (${table.subjectKind} = 'ingestion')`,
    ),
    index('tasks_to_announce')
      .on(table.notBefore)
      .where(sql`${table.state} = 'ready' and ${table.announcedAt} is null`),
    index('tasks_announced')
      .on(table.announcedAt)
      .where(sql`${table.state} = 'ready' and ${table.announcedAt} is not null`),
    index('tasks_leased').on(table.leaseUntil).where(sql`${table.state} = 'running'`),
    index('tasks_held')
      .on(table.notBefore)
      .where(sql`${table.state} = 'ready' and ${table.held} is not null`),
    check('tasks_lease', sql`(${table.leaseUntil} is not null) = (${table.state} = 'running')`),
    check(
      'tasks_ended',
      sql`(${table.endedAt} is not null) = (${table.state} in ('done', 'dead', 'cancelled'))`,
    ),
  ],
);
