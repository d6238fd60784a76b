import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/index.ts';
import { documents } from '../db/schema/documents.ts';
import { ingestions } from '../db/schema/ingestions.ts';
import { ConflictError } from '../errors.ts';

/** What a run that begins in the middle takes over from the run before it. Refused where that did not get so far. */
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
    throw new ConflictError('The type of the document is not known yet; begin at claim.');
  const started = { startedAt: sql`now()` };
  if (stage !== 'extract') return started;
  if (!earlier.read.transcriptionKey)
    throw new ConflictError('The document was not transcribed yet; begin at transcribe.');
  return { ...started, ...earlier.read };
}
