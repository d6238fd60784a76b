import { z } from 'zod';
import { type Lane, queueName } from '../../domain/lane.ts';
import type { Overrides } from '../../domain/overrides.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Subject } from './subject.ts';

/**
 * Vocabulary of the engine. A *task* is a row in Postgres and the source of truth. A *hint* is a
 * BullMQ job that points at a task: losing, repeating or forging it changes nothing but timing.
 * *Taking* a task leases it and raises its *epoch*, the fencing token every later write is checked
 * against. *Settling* closes the lease: result, state, event and next step commit in one
 * transaction.
 */

const pointer = z.object({ taskId: z.uuid(), epoch: z.int().nonnegative() });
export type Hint = z.infer<typeof pointer>;

/** The whole payload of a job. Parsed on arrival, because jobs outlive deployments. */
export const jobData = z.union([pointer, z.object({ tasks: z.array(pointer).min(1) })]);
export type JobData = z.infer<typeof jobData>;

export function hintsIn(data: JobData): Hint[] {
  return 'tasks' in data ? data.tasks : [data];
}

export interface Announcement extends Hint {
  stage: string;
  /** Default: small. */
  lane?: Lane;
  /** Goes to the quarantine queue instead of the stage's queue. */
  suspect?: boolean;
  /** Jobs of a queue are taken by turns of their workspaces. */
  workspaceId?: string | null;
}

/** The queue for suspects of all stages. Its workers run one task at a time and nothing else. */
export const quarantine = 'quarantine';

export function queueForHint({
  stage,
  lane,
  suspect,
}: Pick<Announcement, 'stage' | 'lane' | 'suspect'>): string {
  return suspect ? quarantine : queueName(stage, lane);
}

export interface Task {
  id: string;
  stage: string;
  lane: Lane;
  epoch: number;
  /** All failures of this task. */
  attempts: number;
  /** Failures in this stage and lane. */
  failures: number;
  postponed: number;
  /** How long it may still wait for external resources, measured when it was taken. */
  giveUpInMs: number;
  subject: Subject;
  /** The document of the ingestion; null for any other kind of subject. */
  document: StageDocument | null;
}

/** The part of a document that stages see. */
export interface StageDocument {
  id: string;
  workspaceId: string;
  batchId: string | null;
  name: string;
  declaredType: string | null;
  mediaType: string | null;
  bytes: number;
  sha256: string;
  storageKey: string;
  ingestion: {
    id: string;
    pages: number | null;
    transcriptionKey: string | null;
    transcriptionSha256: string | null;
    preprocessedKey: string | null;
    preprocessedType: string | null;
    preprocessedPages: number[] | null;
    /** Settings of this ingestion that replace the defaults. */
    overrides: Overrides;
    problems: Problem[];
    /** Encrypted password of the document, if it has one. */
    sealedPassword: string | null;
    /** Parent of its trace; null if it is not traced. */
    traceparent: string | null;
  };
}
