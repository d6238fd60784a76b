import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';

/** The password of an encrypted document, if one was given. */
export function openPassword(
  { ingestion }: StageDocument,
  { seal }: Pick<StageContext, 'seal'>,
): string | undefined {
  return ingestion.sealedPassword === null ? undefined : seal.open(ingestion.sealedPassword);
}
