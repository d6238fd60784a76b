import { throughOutage } from '../../db/outage.ts';
import type { Charge } from '../../domain/cost.ts';
import { newId } from '../../lib/ids.ts';
import type { StageContext } from '../pipeline/stage.ts';
import type { StageDocument } from '../task/task.ts';
import { releaseHeld } from './release.ts';
import { book, reserve } from './reserve.ts';

export interface Purchase<Result> {
  /** Name and version of the engine that is paid. */
  engine: string;
  /** What it costs at most, in millionths of a dollar. */
  quote: number;
  buy(charge: Charge): Promise<Result>;
}

/**
 * Buys something for a document within the ceilings of its workspace and its batch, and books what it cost, also when it
 * came to nothing. What is free is never held. Nothing is bought that could not be stored.
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
    // It mostly costs less than was set aside: somebody else may go on. What was paid for is not lost over that.
    await releaseHeld(pool, { workspaceId, dailyBudgetMicros }).catch((err: unknown) =>
      log.warn({ err }, 'documents that are held go on at the next pass'),
    );
  }
}
