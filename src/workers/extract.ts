import { eq } from 'drizzle-orm';
import { ingestions } from '../db/schema/ingestions.ts';
import type { Extraction } from '../domain/extraction.ts';
import { failures } from '../domain/failure.ts';
import type { KnownType } from '../domain/known-types.ts';
import { needsReview } from '../domain/problem.ts';
import { spend } from '../engine/budget/spend.ts';
import { done } from '../engine/pipeline/outcome.ts';
import { defineStage, type StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { failpoint } from '../lib/test-hooks.ts';
import { MINUTE } from '../lib/time.ts';
import { findExtraction, saveExtraction } from '../storage/extractions.ts';
import { storageKeys } from '../storage/keys.ts';
import type { ExtractOutput } from '../understanding/operations.ts';
import { chooseType } from './choose-type.ts';
import { withExtractor } from './chosen-engine.ts';
import { findPaidResult, storeWhenPossible } from './paid-result.ts';
import { fetchTranscription, type StoredTranscription } from './stored-transcription.ts';

/** Extracts structured data. The gate decides whether it can be used without review. */
export const extract = defineStage({
  concurrency: 8,
  timeoutMs: 10 * MINUTE,
  async run(document, given) {
    const context = await withExtractor(document, given);
    const { storage, extractor, metrics, failures: failed, mayFail } = context;
    const { id, problems } = document.ingestion;
    const transcription = await fetchTranscription(document, context);
    const { type: schema, spent } = await chooseType(document, transcription, context);
    const source = `${transcription.sha256}/${schemaId(schema)}/${extractor.engine}`;
    const reusable = {
      stage: 'extract',
      source,
      keyOf: storageKeys.extraction,
      find: findExtraction,
    };
    const found = await findPaidResult(document, context, reusable);
    const { extraction, verdict: judged } = await (found
      ? judgeIn(context, transcription, schema, found.value)
      : extractBy(document, context, transcription, schema));
    failpoint('extract', 'answered', document.name);
    if (!found) metrics.extracted(extraction.model, extraction.tokens);
    // A soft failure costs an attempt. A retry helps only if the extractor may answer differently.
    const { strategy } =
      failures[judged.retry ? 'extraction incomplete' : 'critical fields missing'];
    const again =
      strategy === 'retry-once-then-review' && failed === 0 && mayFail && !extractor.deterministic;
    if (!judged.valid && again && !found) {
      throw new Error(`The extraction is incomplete: ${judged.reasons.join('; ')}`);
    }
    const doubts = problems.filter(needsReview).map(({ message }) => message);
    const verdict =
      doubts.length > 0
        ? { ...judged, valid: false, reasons: [...judged.reasons, ...doubts] }
        : judged;
    await storeWhenPossible(
      () => saveExtraction(storage, storageKeys.extraction(id), source, extraction),
      context,
    );
    failpoint('extract', 'stored', document.name);
    const { input, output } = found ? { input: 0, output: 0 } : extraction.tokens;
    const [inputTokens, outputTokens] = [spent.input + input, spent.output + output];
    const values = {
      documentType: schema.name,
      schemaOrigin: schema.origin,
      schemaVersion: schema.version,
      structuredData: extraction.fields,
      verdict: {
        ...verdict,
        confidence: extraction.confidence,
        missingFields: extraction.missing_fields,
      },
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

/** Rules and the gate run in the sandbox: their cost depends on the text of the document. */
async function extractBy(
  document: StageDocument,
  context: StageContext,
  transcription: StoredTranscription,
  schema: KnownType,
): Promise<ExtractOutput> {
  const { extractor, signal, inSandbox } = context;
  const { engine, operation } = extractor;
  if (operation) {
    const buy = () => inSandbox(operation, { path: transcription.path, schema });
    return spend(document, context, { engine, quote: 0, buy });
  }
  const text = await transcription.text();
  const extraction = await spend(document, context, {
    engine,
    quote: extractor.quote?.(text, schema) ?? 0,
    buy: (charge) => extractor.extract(text, schema, signal, charge),
  });
  return judgeIn(context, transcription, schema, extraction);
}

async function judgeIn(
  { inSandbox }: StageContext,
  { path }: StoredTranscription,
  schema: KnownType,
  extraction: Extraction,
): Promise<ExtractOutput> {
  return {
    extraction,
    verdict: await inSandbox('understanding.judge', { path, schema, extraction }),
  };
}

/** A workspace's own schema and a shipped one may share name and version. */
function schemaId({ origin, name, version }: KnownType): string {
  return `${origin === 'own' ? 'own/' : ''}${name}@${version}`;
}
