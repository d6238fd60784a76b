import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { SpanKind } from '@opentelemetry/api';
import { isOutage } from '../db/outage.ts';
import { newId } from '../lib/ids.ts';
import { annotate, currentTraceparent, noTracing } from '../observability/tracing/index.ts';
import { storageKeys } from '../storage/keys.ts';
import type { Storage } from '../storage/storage.ts';
import type { Admitted } from './admit.ts';
import { cleanFileName, cleanRelativePath } from './file-names.ts';
import type { Intake } from './intake.ts';
import { store } from './store.ts';

export interface Upload {
  workspaceId: string;
  /** May contain folders, which become the path of the document. */
  name: string;
  declaredType?: string | undefined;
  batchId?: string | undefined;
  /** A fixed document type. Default: detected. */
  documentType?: string | undefined;
  /** A repeated request with the same key does not create a second document. */
  idempotencyKey?: string | undefined;
  body: Buffer | Readable;
  signal?: AbortSignal | undefined;
}

export interface Uploaded {
  documentId: string;
  outcome: Admitted['outcome'];
  name: string;
  path: string | null;
  bytes: number;
  sha256: string;
}

/**
 * Accepts a document: its bytes are hashed on the way to storage, then it is admitted. The document
 * exists from the commit on. If admission fails or creates no new document, the bytes are removed
 * again.
 */
export function upload(
  resources: { storage: Storage },
  intake: Intake,
  asked: Upload,
): Promise<Uploaded> {
  const { tracing = noTracing } = intake;
  return tracing.span('admit', { kind: SpanKind.PRODUCER }, async () => {
    const uploaded = await receive(resources, intake, asked);
    const { documentId, outcome, bytes } = uploaded;
    annotate({
      'millrace.document': documentId,
      'millrace.workspace': asked.workspaceId,
      'millrace.outcome': outcome,
      'millrace.bytes': bytes,
      ...(asked.batchId && { 'millrace.batch': asked.batchId }),
    });
    return uploaded;
  });
}

async function receive(
  { storage }: { storage: Storage },
  intake: Intake,
  { workspaceId, name, declaredType, documentType, batchId, idempotencyKey, body, signal }: Upload,
): Promise<Uploaded> {
  await intake.assertType(workspaceId, documentType);
  const id = newId();
  const cleanName = cleanFileName(name);
  const storageKey = storageKeys.original(id, extname(cleanName));
  // The reconcile-storage job removes what is left behind.
  const discard = () => storage.remove(storageKey).catch(() => undefined);
  const fingerprints = await store(storage, storageKey, body, {
    maxBytes: intake.maxBytes,
    signal,
  }).catch(async (error: unknown) => {
    await discard();
    throw error;
  });
  const document = {
    id,
    workspaceId,
    batchId: batchId ?? null,
    idempotencyKey: idempotencyKey ?? null,
    name: cleanName,
    path: cleanRelativePath(name),
    declaredType: declaredType ?? null,
    documentType: documentType ?? null,
    storageKey,
    traceparent: currentTraceparent() ?? null,
    ...fingerprints,
  };
  const { documentId, outcome, announced } = await intake
    .admit(document)
    .catch(async (error: unknown) => {
      // If the reply to the commit was lost, the document may exist, so its bytes stay. If it does
      // not exist, the reconcile-storage job removes them.
      if (!isOutage(error)) await discard();
      throw error;
    });
  if (outcome !== 'added') await discard();
  await announced;
  return {
    documentId,
    outcome,
    name: cleanName,
    path: document.path,
    bytes: fingerprints.bytes,
    sha256: fingerprints.sha256,
  };
}
