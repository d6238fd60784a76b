import type { readBatchProgress } from '../db/batch-progress.ts';
import type { Batch } from '../db/batches.ts';
import { startResult } from '../domain/batch-start.ts';
import { shownCeiling } from './ceiling.ts';

export function batchHref(id: string): string {
  return `/v1/batches/${id}`;
}

/** The API representation of a batch. */
export function batchJson(batch: Batch, progress?: Awaited<ReturnType<typeof readBatchProgress>>) {
  const {
    idempotencyKey,
    turnAt,
    redriveAt,
    maxCostMicros,
    documents,
    open,
    completed,
    failed,
    cancelled,
    ...fields
  } = batch;
  const href = batchHref(batch.id);
  return {
    ...fields,
    maxCost: shownCeiling(maxCostMicros),
    sealed: batch.sealedAt !== null,
    startResult: startResult(batch.state),
    progress: progress ?? { documents, open, completed, failed, cancelled },
    href,
    links: {
      documents: `/v1/documents?batchId=${batch.id}`,
      events: `${href}/events`,
      report: `${href}/report`,
    },
  };
}
