import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';

/** What a stage works with, and in place of the usual reader the one that this run asks for. */
export async function withReader(
  { ingestion }: StageDocument,
  context: StageContext,
): Promise<StageContext> {
  const { ocr } = ingestion.overrides.provider ?? {};
  return ocr === undefined ? context : { ...context, reader: await context.engines.ocr.open(ocr) };
}

/** The same for the extractor. */
export async function withExtractor(
  { ingestion }: StageDocument,
  context: StageContext,
): Promise<StageContext> {
  const { llm } = ingestion.overrides.provider ?? {};
  return llm === undefined
    ? context
    : { ...context, extractor: await context.engines.llm.open(llm) };
}
