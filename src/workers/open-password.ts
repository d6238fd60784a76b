import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';

/** What opens the document, if it is encrypted and somebody has said so. */
export function openPassword(
  { ingestion }: StageDocument,
  { seal }: Pick<StageContext, 'seal'>,
): string | undefined {
  return ingestion.sealedPassword === null ? undefined : seal.open(ingestion.sealedPassword);
}
