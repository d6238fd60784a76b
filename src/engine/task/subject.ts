import type { Db } from '../../db/index.ts';
import { ingestionKind } from '../../db/schema/tasks.ts';
import type { ProblemCode } from '../../domain/problem.ts';

/** What a task works on: an ingestion, or any other work item that has an id. */
export interface Subject {
  kind: string;
  id: string;
  /** Null if it belongs to no workspace. */
  workspaceId: string | null;
}

/** Why a task failed for good; stored in its dead letter. */
export interface FailureRecord {
  code: ProblemCode;
  category: 'rejected' | 'exhausted' | 'gave-up' | 'lost';
  message: string;
  stack?: string | undefined;
}

/** Marks a subject as failed, in the transaction that ends its task. */
export type FailSubject = (
  tx: Db,
  stage: string,
  subject: Subject,
  failure: FailureRecord,
) => Promise<unknown>;

/** The ingestion a subject is; undefined for any other kind. */
export function ingestionOf({ kind, id }: Pick<Subject, 'kind' | 'id'>): string | undefined {
  return kind === ingestionKind ? id : undefined;
}

/** The columns of a task or dead letter that name its subject. */
export function subjectColumns(subject: Subject) {
  const { kind, id, workspaceId } = subject;
  return ingestionOf(subject) === undefined
    ? { subjectKind: kind, subjectId: id, workspaceId }
    : { ingestionId: id };
}

/** The members of an event that name its subject, unless its ingestion does. */
export function subjectFacts(subject: Subject) {
  const { kind, id, workspaceId } = subject;
  return ingestionOf(subject) === undefined
    ? { subject: { kind, id }, ...(workspaceId !== null && { workspaceId }) }
    : {};
}

/** A task, as far as it is named in logs. */
interface Described {
  document: { id: string; name: string; workspaceId: string; batchId: string | null } | null;
  subject: Subject;
}

/** For logs and messages. */
export function nameSubject({ document, subject }: Described): string {
  return document?.name ?? `${subject.kind} ${subject.id}`;
}

/** Ids for log lines. */
export function subjectIds({ document, subject }: Described) {
  const { workspaceId } = subject;
  if (!document) return { [`${subject.kind}Id`]: subject.id, ...(workspaceId && { workspaceId }) };
  const { id: documentId, batchId } = document;
  return { documentId, workspaceId: document.workspaceId, ...(batchId && { batchId }) };
}
