import type { StageOverrides } from '../../config/stages.ts';
import type { LargeFrom } from '../../domain/lane.ts';
import type { Resources } from '../../resources.ts';
import type { Admission } from '../admission/admission.ts';
import {
  findLaneRules,
  findStep,
  findTimeout,
  listLanedStages,
  type Pipeline,
} from '../pipeline/pipeline.ts';
import { type FollowUp, insertTask } from './effects.ts';
import { LeaseKeeper } from './lease.ts';
import { defaultBackoff, type RetryPolicy } from './retry.ts';
import { makeSettle, type Settle } from './settle.ts';
import type { FailSubject } from './subject.ts';
import { makeTake, type Take } from './take.ts';
import type { Announcement } from './task.ts';

/** The parts of the engine that run tasks in one process. */
export interface Runner {
  pipeline: Pipeline;
  resources: Resources;
  leases: LeaseKeeper;
  admission: Admission;
  take: Take;
  settle: Settle;
  /** Adds hints to Redis. Never throws; the reconciler finds hints that were lost. */
  announce(hints: Announcement[]): Promise<void>;
  timeoutOf(queue: string): number;
  policy: RetryPolicy;
  failSubject: FailSubject;
}

export interface RunnerOptions {
  /** Name of this process in leases and events. */
  worker: string;
  leaseMs: number;
  /** The first stage of the pipeline. */
  first: string;
  giveUpMs: number;
  maxAttempts: number;
  largeFrom: LargeFrom;
  overrides: Readonly<Record<string, StageOverrides>>;
  announce(hints: Announcement[]): Promise<void>;
}

export function createRunner(
  pipeline: Pipeline,
  resources: Resources,
  options: RunnerOptions,
): Runner {
  const { pool } = resources.database;
  const { worker, leaseMs, first, giveUpMs, maxAttempts, largeFrom, overrides, announce } = options;
  const followUp: FollowUp = async (tx, { document, subject }, stage) => {
    const { admit } = findStep(pipeline, stage).stage;
    const insert = (longestMs = giveUpMs) =>
      insertTask(tx, { subject, stage, giveUpMs: longestMs });
    return admit && document
      ? admit(tx, document, { settings: resources.settings, insert })
      : [await insert()];
  };
  const failSubject: FailSubject = async (tx, stage, subject, failure) =>
    pipeline[stage]?.stage.work?.failed?.(tx, subject, failure);
  const admission = { first, giveUpMs, lanes: listLanedStages(pipeline, largeFrom) };
  return {
    pipeline,
    resources,
    leases: new LeaseKeeper({
      pool: resources.database.urgent,
      leaseMs,
      log: resources.log,
      metrics: resources.metrics,
    }),
    take: makeTake(pool, { worker, leaseMs }),
    admission,
    settle: makeSettle(pool, { worker, admission, followUp, failSubject }),
    failSubject,
    announce,
    timeoutOf: findTimeout.bind(null, pipeline, overrides),
    policy: {
      ...defaultBackoff,
      maxAttempts,
      largeFrom,
      laneRulesOf: findLaneRules.bind(null, pipeline),
    },
  };
}
