import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { documents } from '../db/schema/documents.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { ConflictError } from '../errors.ts';

/**
 * The results that an ingestion starting in the middle of the pipeline takes over from the previous
 * one. Throws if that one did not get far enough.
 */
export async function inheritance(tx: Db, before: string, stage: string) {
  const [earlier] = await tx
    .select({
      mediaType: documents.mediaType,
      read: {
        pages: ingestions.pages,
        language: ingestions.language,
        transcriptionKey: ingestions.transcriptionKey,
        transcriptionSha256: ingestions.transcriptionSha256,
        transcriptionQuality: ingestions.transcriptionQuality,
      },
    })
    .from(ingestions)
    .innerJoin(documents, eq(documents.id, ingestions.documentId))
    .where(eq(ingestions.id, before));
  if (!earlier?.mediaType)
    throw new ConflictError(
      'The media type of the document is not known yet. Start at stage claim.',
    );
  const started = { startedAt: sql`now()` };
  if (stage !== 'extract') return started;
  if (!earlier.read.transcriptionKey)
    throw new ConflictError('The document has no transcription yet. Start at stage transcribe.');
  return { ...started, ...earlier.read };
}
