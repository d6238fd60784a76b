import { eq } from 'drizzle-orm';
import { ingestions } from '../db/schema/ingestions.ts';
import { chooseSchema } from '../domain/document-type.ts';
import { judge } from '../domain/gate.ts';
import { done } from '../engine/outcome.ts';
import { defineStage } from '../engine/stage.ts';
import { MINUTE } from '../lib/time.ts';
import { loadTranscription } from '../storage/transcriptions.ts';

/** Extracts structured data and lets the gate decide whether it can be trusted without a person. */
export const extract = defineStage({
  concurrency: 8,
  timeoutMs: 10 * MINUTE,
  async run(document, { storage, extractor, metrics, signal }) {
    const { id, attemptCount, transcriptionKey, transcriptionSha256 } = document.ingestion;
    if (!transcriptionKey || !transcriptionSha256) throw new Error('Nothing was transcribed yet');
    const transcription = await loadTranscription(storage, transcriptionKey, transcriptionSha256);
    const schema = chooseSchema(transcription);
    const extraction = await extractor.extract(transcription, schema, signal);
    metrics.extracted(extraction.model, extraction.tokens);
    const verdict = judge(extraction, transcription, schema);
    // A soft failure counts like any other, and is worth one more try with whoever may answer differently.
    if (verdict.retry && !extractor.deterministic && attemptCount === 0) {
      throw new Error(`The extraction is incomplete: ${verdict.reasons.join('; ')}`);
    }
    const values = {
      documentType: schema.name,
      structuredData: extraction.fields,
      verdict: { ...verdict, confidence: extraction.confidence, missingFields: extraction.missing_fields },
      validStructuredData: verdict.valid,
      extractionModel: extraction.model,
      extractionInputTokens: extraction.tokens.input,
      extractionOutputTokens: extraction.tokens.output,
    };
    return done(verdict.valid ? 'extracted' : 'doubtful', (tx) =>
      tx.update(ingestions).set(values).where(eq(ingestions.id, id)),
    );
  },
});
