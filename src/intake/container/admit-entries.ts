import { findBatch } from '../../db/batches.ts';
import { addToFamily, type Family, listTaken, removeOldExceptions } from '../../db/containers.ts';
import type { Db } from '../../db/index.ts';
import { batchItems } from '../../db/schema/batch-items.ts';
import type { ItemKind } from '../../domain/batch-ledger.ts';
import { type Admission, admitWaiting, lockWorkspaces } from '../../engine/admission/admission.ts';
import type { Announcement, StageDocument } from '../../engine/task/task.ts';
import { newId } from '../../lib/ids.ts';
import { countEntries, originalsInBatch } from '../batch-account.ts';
import { cleanFileName, cleanPath, showable } from '../file-names.ts';
import type { Fingerprints } from '../hash.ts';
import { insertDocuments, type NewDocument } from '../insert-documents.ts';

export interface Container {
  document: StageDocument;
  family: Family;
}

interface StoredFile extends Fingerprints {
  id: string;
  storageKey: string;
}

interface LeftOut {
  position: number;
  name: string;
  kind: ItemKind;
  reason: string;
  documentId?: string | undefined;
}

export type StoredEntry = LeftOut | { position: number; name: string; file: StoredFile };

/**
 * Admits the entries of a container as documents of its batch, or records items with the reason why
 * not. A finished batch accepts them too, because they arrived with their container. Returns the
 * hints to announce and the stored objects that no document uses.
 */
export async function admitEntries(
  tx: Db,
  { document, family }: Container,
  entries: readonly StoredEntry[],
  admission: Admission,
): Promise<{ hints: Announcement[]; unused: string[] }> {
  const { workspaceId, batchId } = document;
  await lockWorkspaces(tx, [workspaceId]);
  // Read under the lock: a worker that lost its lease may have admitted entries until now.
  const positions = entries.map(({ position }) => position);
  const known = await listTaken(tx, document.id, positions);
  const fresh = entries.filter(({ position }) => !known.has(position));
  const refused = await refusalsOf(tx, { document, family }, fresh);
  const made: NewDocument[] = [];
  const items: LeftOut[] = [];
  const unused: string[] = [];
  for (const entry of fresh) {
    if (!('file' in entry)) items.push(entry);
    else {
      const { position, name, file } = entry;
      const refusal = refused(file);
      if (refusal) {
        items.push({ position, name, ...refusal });
        unused.push(file.storageKey);
      } else made.push(childOf({ document, family }, position, name, file));
    }
  }
  if (made.length > 0) {
    await insertDocuments(tx, { workspaceId, batchId }, made);
    const bytes = made.reduce((sum, file) => sum + file.bytes, 0);
    await addToFamily(tx, family.rootId, { entries: made.length, bytes });
  }
  if (items.length > 0) await insertItems(tx, document, items);
  if (batchId !== null)
    await countEntries(tx, batchId, { added: made.length, items: items.length });
  return { hints: made.length > 0 ? await admitWaiting(tx, workspaceId, admission) : [], unused };
}

type Refusal = Pick<LeftOut, 'kind' | 'reason' | 'documentId'>;

/**
 * Returns a function that gives the reason why a file must not become a document: it is one of its
 * own containers, a duplicate in the batch, or the batch is being cancelled.
 */
async function refusalsOf(
  tx: Db,
  { document: { workspaceId, batchId }, family }: Container,
  entries: readonly StoredEntry[],
): Promise<(file: StoredFile) => Refusal | undefined> {
  const hashes = entries.flatMap((entry) => ('file' in entry ? entry.file.sha256 : []));
  const batch = batchId === null ? undefined : await findBatch(tx, batchId, workspaceId);
  const originals = new Map(batchId === null ? [] : await originalsInBatch(tx, batchId, hashes));
  return ({ id, sha256 }) => {
    if (family.hashes.includes(sha256))
      return { kind: 'exception', reason: 'The entry is identical to a container it is in' };
    if (batch?.state === 'cancelling')
      return { kind: 'skipped', reason: 'The batch was cancelled' };
    const original = originals.get(sha256);
    if (original)
      return {
        kind: 'duplicate',
        reason: `Duplicate: the batch already has the same bytes as ${original.name}`,
        documentId: original.id,
      };
    if (batchId !== null) originals.set(sha256, { id, name: 'another entry', sha256 });
    return undefined;
  };
}

function childOf(
  { document, family }: Container,
  position: number,
  name: string,
  file: StoredFile,
): NewDocument {
  const { workspaceId, batchId, id: parentId, ingestion } = document;
  return {
    ...file,
    workspaceId,
    batchId,
    name: cleanFileName(name),
    declaredType: null,
    documentType: ingestion.overrides.documentType ?? null,
    idempotencyKey: null,
    traceparent: ingestion.traceparent,
    path: cleanPath(name),
    parent: { id: parentId, rootId: family.rootId, position },
  };
}

async function insertItems(
  tx: Db,
  { id: containerId, batchId, name }: Container['document'],
  items: LeftOut[],
) {
  await tx.insert(batchItems).values(
    items.map((item) => ({
      ...item,
      id: newId(),
      batchId,
      containerId,
      name: `${name}/${showable(item.name)}`,
    })),
  );
}

/** Gives entries that earlier ingestions could not unpack another chance. */
export async function forgetExceptions(
  tx: Db,
  { id, workspaceId, batchId, ingestion }: StageDocument,
): Promise<void> {
  await lockWorkspaces(tx, [workspaceId]);
  const items = await removeOldExceptions(tx, id, ingestion.id);
  if (batchId !== null && items > 0) await countEntries(tx, batchId, { added: 0, items: -items });
}
