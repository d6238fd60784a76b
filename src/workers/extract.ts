import { eq } from 'drizzle-orm';
import { ingestions } from '../db/schema/ingestions.ts';
import { chooseSchema } from '../domain/document-type.ts';
import { failures } from '../domain/failure.ts';
import { judge } from '../domain/gate.ts';
import { spend } from '../engine/budget/spend.ts';
import { done } from '../engine/outcome.ts';
import { defineStage } from '../engine/stage.ts';
import { MINUTE } from '../lib/time.ts';
import { findExtraction, saveExtraction } from '../storage/extractions.ts';
import { keys } from '../storage/keys.ts';
import { loadTranscription } from '../storage/transcriptions.ts';
import { reuse } from './reuse.ts';

/** Extracts structured data and lets the gate decide whether it can be trusted without a person. */
export const extract = defineStage({
  concurrency: 8,
  timeoutMs: 10 * MINUTE,
  async run(document, context) {
    const { storage, extractor, metrics, signal } = context;
    const { id, attemptCount, transcriptionKey, transcriptionSha256 } = document.ingestion;
    if (!transcriptionKey || !transcriptionSha256) throw new Error('Nothing was transcribed yet');
    const transcription = await loadTranscription(storage, transcriptionKey, transcriptionSha256);
    const schema = chooseSchema(transcription);
    const source = `${transcriptionSha256}/${schema.name}@${schema.version}/${extractor.engine}`;
    const found = await reuse(document, context, {
      stage: 'extract',
      source,
      keyOf: keys.extraction,
      find: findExtraction,
    });
    const extraction =
      found?.value ??
      (await spend(document, context, {
        engine: extractor.engine,
        quote: extractor.quote?.(transcription, schema) ?? 0,
        buy: (charge) => extractor.extract(transcription, schema, signal, charge),
      }));
    if (!found) metrics.extracted(extraction.model, extraction.tokens);
    const verdict = judge(extraction, transcription, schema);
    // A soft failure counts like any other; it is worth another try only with whoever may answer differently.
    const { strategy } = failures[verdict.retry ? 'extraction incomplete' : 'critical fields missing'];
    const again = strategy === 'retry-once-then-review' && attemptCount === 0 && !extractor.deterministic;
    if (!verdict.valid && again && !found) {
      throw new Error(`The extraction is incomplete: ${verdict.reasons.join('; ')}`);
    }
    await saveExtraction(storage, keys.extraction(id), source, extraction);
    const { input: inputTokens, output: outputTokens } = found ? { input: 0, output: 0 } : extraction.tokens;
    const values = {
      documentType: schema.name,
      structuredData: extraction.fields,
      verdict: { ...verdict, confidence: extraction.confidence, missingFields: extraction.missing_fields },
      validStructuredData: verdict.valid,
      extractionModel: extraction.model,
      extractionInputTokens: inputTokens,
      extractionOutputTokens: outputTokens,
    };
    return done(verdict.valid ? 'extracted' : 'doubtful', (tx) =>
      tx.update(ingestions).set(values).where(eq(ingestions.id, id)),
    );
  },
});
