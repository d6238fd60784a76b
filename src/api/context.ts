import type { Router } from 'express';
import type { Fleet } from '../engine/fleet/index.ts';
import type { Queues } from '../engine/queues/queues.ts';
import type { JobRunner } from '../engine/schedule/job-runner.ts';
import type { Intake } from '../intake/intake.ts';
import type { Resources } from '../resources.ts';
import type { ApiSettings } from './settings.ts';
import type { StorageQuotas } from './upload/quotas.ts';
import type { WindowCounter } from './window-counter.ts';

export interface Listen {
  host: string;
  port: number;
}

type Checks = Readonly<Record<string, () => Promise<void>>>;

/** What a process of any role needs to serve health and metrics. */
export interface MonitorContext {
  resources: Pick<Resources, 'log' | 'metrics'>;
  /** System-wide metrics. Set in one role only, because one source is enough. */
  fleet: Fleet | undefined;
  /** Readiness checks by name. A failing check throws with the reason. */
  checks: Checks;
  /** As `checks`, for what the process can do without for a while. */
  optionalChecks?: Checks;
  /** Each resolves to the reason why this process makes no progress, if it is stuck. */
  /** Required to read /metrics; open when absent. */
  metricsToken?: string | undefined;
  stallChecks: readonly (() => Promise<string | undefined>)[];
}

export interface ApiContext extends MonitorContext {
  resources: Resources;
  intake: Intake;
  queues: Queues;
  jobs: JobRunner;
  counter: WindowCounter;
  settings: ApiSettings;
  quotas: StorageQuotas;
  /** Whether administrators may change queues in Bull Board. */
  boardWritable: boolean;
  /** Target of uploads whose caller is not bound to a workspace. */
  defaultWorkspaceId: string;
  /** Aborts on shutdown, which ends endless responses such as event streams. */
  closing: AbortSignal;
}

/** The routes of one resource. */
export type Routes = (context: ApiContext) => Router;
