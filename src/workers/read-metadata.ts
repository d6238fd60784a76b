import { eq } from 'drizzle-orm';
import { findFormat } from '../content/index.ts';
import { appendEvent } from '../db/events.ts';
import { documents } from '../db/schema/documents.ts';
import { metadata } from '../domain/metadata.ts';
import type { Save } from '../engine/pipeline/outcome.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { describeError } from '../lib/describe-error.ts';
import { MINUTE } from '../lib/time.ts';
import { openPassword } from './chosen-engine.ts';
import { fetchOriginal } from './original.ts';

/**
 * Reads what the file says about itself, and returns how to store it. Unreadable metadata never
 * fails a document: it is reported as an event.
 */
export async function readMetadata(
  document: StageDocument,
  context: StageContext,
): Promise<Save | undefined> {
  const { id, mediaType, ingestion } = document;
  if (mediaType === null || !findFormat(mediaType)?.metadata) return undefined;
  const path = await fetchOriginal(document, context);
  const input = { path, mediaType, password: openPassword(document, context) };
  const { sandbox, signal, lane } = context;
  try {
    const found = await sandbox.run('content.metadata', input, { signal, lane, timeoutMs: MINUTE });
    // The child has worked on untrusted bytes, so its reply is validated.
    const values = { metadata: metadata.parse(found) };
    return (tx) => tx.update(documents).set(values).where(eq(documents.id, id));
  } catch (error) {
    if (signal.aborted) throw error;
    const message = `The metadata could not be read: ${describeError(error)}`;
    return (tx) => appendEvent(tx, 'WARNING', ingestion.id, { message, documentId: id });
  }
}
