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

export interface TaskError {
  code: string;
  message: string;
}

/**
 * One unit of work: where it is, who owns it, until when. Written by the engine alone.
 * `ready` tasks wait for a worker (`announcedAt` = their hint was given to Redis), `running` ones are leased.
 */
export const tasks = pgTable(
  'tasks',
  {
    id: uuid('id').primaryKey(),
    ingestionId: uuid('ingestion_id')
      .notNull()
      .references(() => ingestions.id),
    stage: text('stage').notNull(),
    /** Large only in stages that have two lanes. */
    lane: text('lane', { enum: lanes }).notNull().default('small'),
    state: text('state', { enum: ['ready', 'running', 'done', 'dead', 'cancelled'] })
      .notNull()
      .default('ready'),
    priority: smallint('priority').notNull().default(50),
    /** The fencing token: grows with every change of ownership. */
    epoch: integer('epoch').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Those of them in this stage and lane: what decides how it goes on. */
    failures: smallint('failures').notNull().default(0),
    losses: integer('losses').notNull().default(0),
    /** Its worker died with it, among others: it runs alone from now on, so that blame falls on the right one. */
    suspect: boolean('suspect').notNull().default(false),
    /** The lease is held by a process that has nothing else to do. */
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
    /** It waits for a ceiling to be raised; this wait does not count towards `giveUpAt`. */
    held: jsonb('held').$type<Held>(),
    createdAt: createdAt(),
    endedAt: at('ended_at'),
  },
  (table) => [
    index('tasks_ingestion').on(table.ingestionId),
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
