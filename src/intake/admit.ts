import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { documents } from '../db/schema/documents.ts';
import { events } from '../db/schema/events.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import type { Overrides } from '../domain/overrides.ts';
import { insertTask } from '../engine/effects.ts';
import type { Announcement } from '../engine/task.ts';
import { newId } from '../lib/ids.ts';
import type { Fingerprints } from './hash.ts';
import { inheritance } from './inheritance.ts';

export interface NewDocument extends Fingerprints {
  id: string;
  workspaceId: string;
  name: string;
  declaredType: string | null;
  storageKey: string;
}

export interface Admission {
  first: string;
  giveUpMs: number;
}

/** The only way a document comes to exist: row, ingestion, first task and event, in the caller's transaction. */
export async function admit(tx: Db, document: NewDocument, admission: Admission): Promise<Announcement> {
  const ingestionId = newId();
  await tx.insert(documents).values({ ...document, ingestionId });
  await tx.insert(ingestions).values({ id: ingestionId, documentId: document.id });
  const { name, bytes } = document;
  await tx
    .insert(events)
    .values({ type: 'DOCUMENT_ADDED', ingestionId, data: { documentId: document.id, name, bytes } });
  return insertTask(tx, { ingestionId, stage: admission.first, giveUpMs: admission.giveUpMs });
}

export interface Run {
  overrides?: Overrides | undefined;
  delayMs?: number | undefined;
}

/** A new run of a document that is there already. The caller has made sure that no other run is under way. */
export async function readmit(
  tx: Db,
  { id: documentId, ingestionId: before }: { id: string; ingestionId: string },
  { first, giveUpMs }: Admission,
  { overrides = {}, delayMs }: Run = {},
): Promise<Announcement> {
  const ingestionId = newId();
  const { fromStage: stage = first } = overrides;
  const inherited = stage === first ? {} : await inheritance(tx, before, stage);
  await tx.insert(ingestions).values({ id: ingestionId, documentId, overrides, ...inherited });
  await tx.update(documents).set({ ingestionId, updatedAt: sql`now()` }).where(eq(documents.id, documentId));
  await tx.insert(events).values({ type: 'DOCUMENT_REPROCESSED', ingestionId, data: { documentId, ...overrides } });
  return insertTask(tx, { ingestionId, stage, giveUpMs, delayMs });
}
