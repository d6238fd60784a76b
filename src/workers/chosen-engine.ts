import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { overlay } from '../lib/overlay.ts';

/** The context, with the OCR reader this ingestion asks for instead of the default. */
export async function withReader(
  { ingestion }: StageDocument,
  context: StageContext,
): Promise<StageContext> {
  const { ocr } = ingestion.overrides.provider ?? {};
  return ocr === undefined
    ? context
    : overlay(context, { reader: await context.engines.ocr.open(ocr) });
}

/** The context, with the extractor this ingestion asks for instead of the default. */
export async function withExtractor(
  { ingestion }: StageDocument,
  context: StageContext,
): Promise<StageContext> {
  const { llm } = ingestion.overrides.provider ?? {};
  return llm === undefined
    ? context
    : overlay(context, { extractor: await context.engines.llm.open(llm) });
}

/** The password of an encrypted document, if one was given. */
export function openPassword(
  { ingestion }: StageDocument,
  { seal }: Pick<StageContext, 'seal'>,
): string | undefined {
  return ingestion.sealedPassword === null ? undefined : seal.open(ingestion.sealedPassword);
}
