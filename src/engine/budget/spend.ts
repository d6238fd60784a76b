import { throughOutage } from '../../db/outage.ts';
import type { Charge } from '../../domain/cost.ts';
import { newId } from '../../lib/ids.ts';
import type { StageContext } from '../pipeline/stage.ts';
import type { StageDocument } from '../task/task.ts';
import { releaseHeld } from './release.ts';
import { book, reserve } from './reserve.ts';

export interface Purchase<Result> {
  /** Name and version of the paid engine. */
  engine: string;
  /** Maximum cost, in millionths of a dollar. */
  quote: number;
  buy(charge: Charge): Promise<Result>;
}

/**
 * Makes a paid call for a document within the ceilings of its workspace and batch, and books the
 * actual cost even if the call fails. Free calls are never held. Checks first that storage is
 * writable, so that no result is paid for that cannot be stored.
 */
export async function spend<Result>(
  document: StageDocument,
  {
    database: { pool },
    storage,
    settings: { dailyBudgetMicros },
    metrics,
    log,
    task,
    signal,
  }: StageContext,
  { engine, quote, buy }: Purchase<Result>,
): Promise<Result> {
  await storage.writable();
  if (quote === 0) return buy(() => undefined);
  const { workspaceId, batchId, ingestion } = document;
  const spender = { task, workspaceId, batchId, ingestionId: ingestion.id };
  await reserve(pool, spender, quote, dailyBudgetMicros);
  let cost = 0;
  const charge: Charge = (micros) => {
    cost += micros;
    metrics.paid(engine, micros);
  };
  try {
    return await buy(charge);
  } finally {
    const booking = { id: newId(), micros: cost };
    await throughOutage(
      () => book(pool, spender, booking),
      () => !signal.aborted,
    );
    // The call usually costs less than was reserved, so another document may fit now. A failure
    // here must not lose the paid result.
    await releaseHeld(pool, { workspaceId, dailyBudgetMicros }).catch((err: unknown) =>
      log.warn({ err }, 'could not release held documents now; the next pass of release-held does'),
    );
  }
}
