import type { StageOverrides } from '../../config/stages.ts';
import type { LargeFrom } from '../../domain/lane.ts';
import type { Resources } from '../../resources.ts';
import { type FollowUp, insertTask } from './effects.ts';
import { Leases } from './leases.ts';
import { retryPolicy } from './transition.ts';
import { ladderOf, lanesOf, limitsOf, type Pipeline, stepOf } from '../pipeline/pipeline.ts';
import type { Runner } from './run.ts';
import { makeSettle } from './settle.ts';
import { makeTake } from './take.ts';
import type { Announcement } from './task.ts';

export interface RunnerOptions {
  /** Name of this process in leases and events. */
  worker: string;
  leaseMs: number;
  /** The stage where documents begin. */
  first: string;
  giveUpMs: number;
  maxAttempts: number;
  largeFrom: LargeFrom;
  overrides: Readonly<Record<string, StageOverrides>>;
  announce(hints: Announcement[]): Promise<void>;
}

/** Puts the parts of the engine together for one process. */
export function createRunner(pipeline: Pipeline, resources: Resources, options: RunnerOptions): Runner {
  const { pool } = resources.database;
  const { worker, leaseMs, first, giveUpMs, maxAttempts, largeFrom, overrides, announce } = options;
  const followUp: FollowUp = async (tx, { document }, stage) => {
    const { admit } = stepOf(pipeline, stage).stage;
    const insert = (longestMs = giveUpMs) =>
      insertTask(tx, { ingestionId: document.ingestion.id, stage, giveUpMs: longestMs });
    return admit ? admit(tx, document, { settings: resources.settings, insert }) : [await insert()];
  };
  const admission = { first, giveUpMs, lanes: lanesOf(pipeline, largeFrom) };
  return {
    pipeline,
    resources,
    leases: new Leases({ pool: resources.database.urgent, leaseMs, log: resources.log, metrics: resources.metrics }),
    take: makeTake(pool, { worker, leaseMs }),
    admission,
    settle: makeSettle(pool, { worker, admission, followUp }),
    announce,
    timeoutOf: (queue) => overrides[queue]?.timeoutMs ?? limitsOf(pipeline, queue).timeoutMs,
    policy: { ...retryPolicy, maxAttempts, largeFrom, ladderOf: (stage) => ladderOf(pipeline, stage) },
  };
}
