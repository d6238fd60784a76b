import type { Router } from 'express';
import type { Fleet } from '../engine/fleet.ts';
import type { JobRunner } from '../engine/job-runner.ts';
import type { Queues } from '../engine/queues.ts';
import type { Intake } from '../intake/upload.ts';
import type { Resources } from '../resources.ts';

export interface ApiContext {
  resources: Resources;
  intake: Intake;
  queues: Queues;
  jobs: JobRunner;
  /** What /metrics tells beyond this process. */
  fleet: Fleet | undefined;
  /** Where a caller who is bound to no workspace uploads. */
  defaultWorkspaceId: string;
  listen: { host: string; port: number };
  /** What must work for this process to be ready, by name; a check that fails throws with the reason. */
  checks: Readonly<Record<string, () => Promise<void>>>;
}

/** The routes of one resource. */
export type Routes = (context: ApiContext) => Router;
