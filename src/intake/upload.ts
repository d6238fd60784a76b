import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Admission } from '../engine/admission.ts';
import type { Announcement } from '../engine/task.ts';
import { newId } from '../lib/ids.ts';
import type { Resources } from '../resources.ts';
import { keys } from '../storage/keys.ts';
import { type Admitted, admit } from './admit.ts';
import { cleanFileName } from './file-name.ts';
import { hashing } from './hash.ts';

export interface Upload {
  workspaceId: string;
  name: string;
  declaredType?: string | undefined;
  batchId?: string | undefined;
  /** Sending the same again under this name makes no second document. */
  idempotencyKey?: string | undefined;
  body: Readable;
  signal?: AbortSignal | undefined;
}

export interface Intake extends Admission {
  maxBytes: number;
  announce(hints: Announcement[]): Promise<void>;
}

export interface Uploaded {
  documentId: string;
  outcome: Admitted['outcome'];
  name: string;
  bytes: number;
  sha256: string;
}

/**
 * Takes a document in: bytes stream to storage while they are hashed, then the document is admitted. It exists from the
 * commit on; if anything fails before, or no new document comes of it, its bytes are removed again.
 */
export async function upload(
  { database, storage }: Pick<Resources, 'database' | 'storage'>,
  intake: Intake,
  { workspaceId, name, declaredType, batchId, idempotencyKey, body, signal }: Upload,
): Promise<Uploaded> {
  const id = newId();
  const cleanName = cleanFileName(name);
  const storageKey = keys.original(id, extname(cleanName));
  const { stream, result } = hashing(intake.maxBytes);
  const abort = new AbortController();
  const whole = AbortSignal.any([abort.signal, ...(signal ? [signal] : [])]);
  try {
    const feeding = pipeline(body, stream, { signal: whole, end: true });
    // A source that fails must fail the put as well, and the other way round.
    feeding.catch((error: unknown) => abort.abort(error));
    await Promise.all([storage.put(storageKey, stream, { signal: whole }), feeding]);
    const hashes = result();
    const document = {
      id,
      workspaceId,
      batchId: batchId ?? null,
      idempotencyKey: idempotencyKey ?? null,
      name: cleanName,
      declaredType: declaredType ?? null,
      storageKey,
      ...hashes,
    };
    const { hints, documentId, outcome } = await database.db.transaction((tx) => admit(tx, document, intake));
    if (outcome !== 'added') await storage.remove(storageKey);
    await intake.announce(hints);
    return { documentId, outcome, name: cleanName, bytes: hashes.bytes, sha256: hashes.sha256 };
  } catch (error) {
    abort.abort(error);
    await storage.remove(storageKey).catch(() => undefined);
    throw abort.signal.reason ?? error;
  }
}
