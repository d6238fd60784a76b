import type { progressOf } from '../db/batch-progress.ts';
import type { Batch } from '../db/batches.ts';
import { startResultOf } from '../domain/batch-start.ts';
import { shownCeiling } from './ceiling.ts';

export function batchHref(id: string): string {
  return `/v1/batches/${id}`;
}

/** A batch as callers see it. */
export function batchJson(batch: Batch, progress?: Awaited<ReturnType<typeof progressOf>>) {
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
    ...shown
  } = batch;
  const href = batchHref(batch.id);
  return {
    ...shown,
    maxCost: shownCeiling(maxCostMicros),
    sealed: batch.sealedAt !== null,
    startResult: startResultOf(batch.state),
    progress: progress ?? { documents, open, completed, failed, cancelled },
    href,
    links: {
      documents: `/v1/documents?batchId=${batch.id}`,
      events: `${href}/events`,
      report: `${href}/report`,
    },
  };
}
