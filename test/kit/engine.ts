import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { asc, desc, eq } from 'drizzle-orm';
import { type Database, openDatabase } from '../../src/db/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { deadLetters } from '../../src/db/schema/dead-letters.ts';
import { documents } from '../../src/db/schema/documents.ts';
import { events } from '../../src/db/schema/events.ts';
import { ingestions } from '../../src/db/schema/ingestions.ts';
import { tasks } from '../../src/db/schema/tasks.ts';
import { workspaces } from '../../src/db/schema/workspaces.ts';
import type { Pipeline } from '../../src/engine/pipeline/pipeline.ts';
import { createRunner, type RunnerOptions } from '../../src/engine/task/runner.ts';
import { type IntakeSettings, openIntake } from '../../src/intake/intake.ts';
import { upload } from '../../src/intake/upload.ts';
import { Closers } from '../../src/lib/closers.ts';
import { newId } from '../../src/lib/ids.ts';
import { HOUR } from '../../src/lib/time.ts';
import type { Resources } from '../../src/resources.ts';
import { createTestDatabase } from './database.ts';
import { idleResources } from './idle-resources.ts';
import { runnerOptions } from './runner-options.ts';

async function migrateAt(url: string): Promise<void> {
  const database = openDatabase({ url, connections: 2, onError: () => undefined });
  await migrate(database.pool);
  await database.close();
}

/** A separate database, storage and engine for one test file. */
export async function openTestEngine(pipeline: Pipeline, overrides: Partial<Resources> = {}) {
  const closers = new Closers();
  const { url, drop } = await createTestDatabase(migrateAt);
  closers.add(drop);
  const database = openDatabase({ url, connections: 10, onError: () => undefined });
  closers.add(() => database.close());
  const directory = await mkdtemp(join(tmpdir(), 'millrace-test-'));
  closers.add(() => rm(directory, { recursive: true, force: true }));
  const resources = await idleResources(database, directory, overrides);
  closers.add(() => resources.outgoing.close());
  closers.add(() => resources.sandbox.close());
  const workspaceId = newId();
  await database.db.insert(workspaces).values({ id: workspaceId, name: 'test' });
  const runnerWith = (options: Partial<RunnerOptions> = {}) => {
    const runner = createRunner(pipeline, resources, {
      ...runnerOptions(`worker-${randomBytes(2).toString('hex')}`),
      ...options,
    });
    closers.add(() => runner.leases.stop());
    return runner;
  };
  return {
    url,
    /** Use as MILLRACE_DATA to give a process the same storage. */
    directory,
    resources,
    workspaceId,
    runnerWith,
    admit: (
      body: string | Buffer = 'text',
      name = 'note.txt',
      intake: Partial<IntakeSettings> = {},
    ) =>
      upload(
        resources,
        openIntake(database.db, {
          first: 'claim',
          giveUpMs: HOUR,
          deliveryGiveUpMs: 24 * HOUR,
          maxBytes: 2 ** 30,
          announce: async () => undefined,
          ...intake,
        }),
        { workspaceId, name, body: Readable.from([Buffer.from(body)]) },
      ),
    ...inspect(database),
    close: () => closers.close(),
  };
}

/** Reads the state of a document directly from the tables. */
function inspect({ db }: Database) {
  const first = <T>(rows: T[]): T => {
    const [row] = rows;
    if (!row) throw new Error('No such row');
    return row;
  };
  const ingestionOf = async (documentId: string) =>
    first(await db.select().from(ingestions).where(eq(ingestions.documentId, documentId)));
  const taskOf = async (documentId: string) =>
    first(
      await db
        .select()
        .from(tasks)
        .where(eq(tasks.ingestionId, (await ingestionOf(documentId)).id)),
    );
  return {
    ingestionOf,
    taskOf,
    /** The current ingestion, if there were several. */
    latestIngestionOf: async (documentId: string) =>
      first(
        await db
          .select()
          .from(ingestions)
          .where(eq(ingestions.documentId, documentId))
          .orderBy(desc(ingestions.id))
          .limit(1),
      ),
    documentOf: async (id: string) =>
      first(await db.select().from(documents).where(eq(documents.id, id))),
    deadLettersOf: async (documentId: string) =>
      db
        .select()
        .from(deadLetters)
        .where(eq(deadLetters.ingestionId, (await ingestionOf(documentId)).id)),
    eventsOf: async (documentId: string) =>
      db
        .select()
        .from(events)
        .where(eq(events.ingestionId, (await ingestionOf(documentId)).id))
        .orderBy(asc(events.id)),
    /** The stages a document went through and the outcome of each. */
    trailOf: async (documentId: string) => {
      const { id } = await ingestionOf(documentId);
      const rows = await db
        .select()
        .from(events)
        .where(eq(events.ingestionId, id))
        .orderBy(asc(events.id));
      return rows
        .filter(({ type }) => type === 'TASK_FINISHED')
        .map(({ data }) => `${data.stage}:${data.outcome}`);
    },
  };
}
