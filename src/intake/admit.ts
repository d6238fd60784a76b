import { sql } from 'drizzle-orm';
import { appendEvent } from '../db/events.ts';
import type { Db } from '../db/index.ts';
import { documents } from '../db/schema/documents.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { insertTask } from '../engine/effects.ts';
import type { Announcement } from '../engine/task.ts';
import { newId } from '../lib/ids.ts';
import type { Fingerprints } from './hash.ts';

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
  /** The same, of a delivery. */
  deliveryGiveUpMs: number;
}

/** The only way a document comes to exist: row, ingestion, first task and event, in the caller's transaction. */
export async function admit(tx: Db, document: NewDocument, admission: Admission): Promise<Announcement> {
  const ingestionId = newId();
  await tx.insert(documents).values({ ...document, ingestionId });
  await tx.insert(ingestions).values({ id: ingestionId, documentId: document.id });
  const { name, bytes } = document;
  await appendEvent(tx, 'DOCUMENT_ADDED', ingestionId, { documentId: document.id, name, bytes });
  return insertTask(tx, { ingestionId, stage: admission.first, giveUpMs: admission.giveUpMs });
}

/** A new run of a document that is there already. The caller has made sure that no other run is under way. */
export async function readmit(tx: Db, documentId: string, admission: Admission): Promise<Announcement> {
  const ingestionId = newId();
  await tx.insert(ingestions).values({ id: ingestionId, documentId });
  await tx.update(documents).set({ ingestionId, updatedAt: sql`now()` }).where(sql`${documents.id} = ${documentId}`);
  await appendEvent(tx, 'DOCUMENT_REPROCESSED', ingestionId, { documentId });
  return insertTask(tx, { ingestionId, stage: admission.first, giveUpMs: admission.giveUpMs });
}
