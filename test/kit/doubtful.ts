import { eq } from 'drizzle-orm';
import { documents } from '../../src/db/schema/documents.ts';
import { ingestions } from '../../src/db/schema/ingestions.ts';
import type { StageContext } from '../../src/engine/pipeline/stage.ts';
import type { StageDocument } from '../../src/engine/task/task.ts';
import { storageKeys } from '../../src/storage/keys.ts';
import { saveTranscription } from '../../src/storage/transcriptions.ts';
import type { TestApi } from './api.ts';
import { drain } from './drain.ts';
import { transcriptionOf, typeset } from './pages.ts';

const printed = `
ACME Tools Ltd
Receipt no: R-7
Date: 25/05/2024
Hammer                                       25.00
Total GBP                                    25.00`.slice(1);

/** The total is not what the page shows. */
export const doubtfulValues = {
  supplier_name: 'ACME Tools Ltd',
  invoice_number: 'R-7',
  invoice_date: '2024-05-25',
  currency: 'GBP',
  total: 52,
};

/** Processes a document whose values are in doubt, and returns its id. */
export async function doubtful(api: TestApi, name: string): Promise<string> {
  api.behaviours.set(name, saveDoubts);
  const { documentId } = await api.admit(`text of ${name}`, name);
  await drain(api.runnerWith());
  return documentId;
}

/** Stores a receipt with doubtful values, as the stages do. */
export async function saveDoubts(document: StageDocument, { database, storage }: StageContext) {
  const { id } = document.ingestion;
  const key = storageKeys.transcription(id, 1);
  const transcription = transcriptionOf(typeset(printed));
  const { sha256 } = await saveTranscription(storage, key, document.sha256, transcription);
  await database.db
    .update(documents)
    .set({ mediaType: 'text/plain' })
    .where(eq(documents.id, document.id));
  await database.db
    .update(ingestions)
    .set({
      documentType: 'receipt',
      transcriptionKey: key,
      transcriptionSha256: sha256,
      structuredData: doubtfulValues,
      validStructuredData: false,
      verdict: {
        valid: false,
        fields: { total: { ok: false, reason: 'was not found in the document' } },
        reasons: ['total was not found in the document'],
      },
    })
    .where(eq(ingestions.id, id));
}
