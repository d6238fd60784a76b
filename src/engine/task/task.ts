import { z } from 'zod';
import { type Lane, queueName } from '../../domain/lane.ts';
import type { Overrides } from '../../domain/overrides.ts';
import type { Problem } from '../../domain/problem.ts';

/**
 * Words of the engine. A *task* is a row in Postgres: the truth. A *hint* is a BullMQ job that points at one: it may be
 * lost, repeated or forged, and then changes nothing but timing. *Taking* a task leases it and raises its *epoch*, the
 * fencing token every later write is checked against. *Settling* closes the lease: result, state, event and next step
 * in one transaction.
 */

const pointer = z.object({ taskId: z.uuid(), epoch: z.int().nonnegative() });
export type Hint = z.infer<typeof pointer>;

/** All that a job carries: a pointer, or a bundle of them. Parsed on arrival: jobs outlive deployments. */
export const jobData = z.union([pointer, z.object({ tasks: z.array(pointer).min(1) })]);
export type JobData = z.infer<typeof jobData>;

export function hintsIn(data: JobData): Hint[] {
  return 'tasks' in data ? data.tasks : [data];
}

/** A hint and where it belongs. */
export interface Announcement extends Hint {
  stage: string;
  /** Small unless told. */
  lane?: Lane;
  /** It goes to the quarantine queue instead of its stage's. */
  suspect?: boolean;
}

/** The queue of suspects of all stages; its workers do one task at a time and nothing else. */
export const quarantine = 'quarantine';

export function queueForHint({
  stage,
  lane,
  suspect,
}: Pick<Announcement, 'stage' | 'lane' | 'suspect'>): string {
  return suspect ? quarantine : queueName(stage, lane);
}

/** A task under lease, with the document it is about. */
export interface Task {
  id: string;
  stage: string;
  lane: Lane;
  /** The epoch of this lease. */
  epoch: number;
  /** All failures of this run of the document. */
  attempts: number;
  /** Those in this stage and lane. */
  failures: number;
  postponed: number;
  /** How long it may still wait for things outside, counted from the moment it was taken. */
  giveUpInMs: number;
  document: StageDocument;
}

/** What a stage sees of a document. */
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
    /** What this run does differently from the rest. */
    overrides: Overrides;
    /** What is known to be wrong with it so far. */
    problems: Problem[];
    /** Opens the document, if it is encrypted. */
    sealedPassword: string | null;
    /** Where its trace begins; null = it is not traced. */
    traceparent: string | null;
  };
}
