import type { Router } from 'express';
import type { Fleet } from '../engine/fleet/index.ts';
import type { Queues } from '../engine/queues/queues.ts';
import type { JobRunner } from '../engine/schedule/job-runner.ts';
import type { Intake } from '../intake/intake.ts';
import type { Resources } from '../resources.ts';
import type { Attempts } from './attempts.ts';

export interface Listen {
  host: string;
  port: number;
}

/** What a process of any role tells about itself. */
export interface MonitorContext {
  resources: Pick<Resources, 'log' | 'metrics'>;
  /** What /metrics tells beyond this process; processes of one role are enough to tell it. */
  fleet: Fleet | undefined;
  /** What must work for this process to be ready, by name; a check that fails throws with the reason. */
  checks: Readonly<Record<string, () => Promise<void>>>;
  /** Each answers why this process does not get on with its work, if it does not. */
  stallChecks: readonly (() => Promise<string | undefined>)[];
}

export interface ApiContext extends MonitorContext {
  resources: Resources;
  intake: Intake;
  queues: Queues;
  jobs: JobRunner;
  attempts: Attempts;
  /** Whether administrators may change queues at the board. */
  boardWritable: boolean;
  /** Where a caller who is bound to no workspace uploads. */
  defaultWorkspaceId: string;
  /** Aborts when the server closes: answers that would go on for ever end then. */
  closing: AbortSignal;
}

/** The routes of one resource. */
export type Routes = (context: ApiContext) => Router;
