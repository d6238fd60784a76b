import { SpanKind } from '@opentelemetry/api';
import { lockDocument } from '../db/documents.ts';
import type { Db } from '../db/index.ts';
import { violates } from '../db/violates.ts';
import type { Admission } from '../engine/admission/admission.ts';
import { closeDeadLettersOfDocument } from '../engine/dead-letters/index.ts';
import type { Announcement } from '../engine/task/task.ts';
import { ConflictError, NotFoundError } from '../errors.ts';
import { type Run, readmit } from '../intake/admit.ts';
import { noTracing } from '../observability/tracing/index.ts';

export interface Reprocessed {
  ingestionId: string;
  /** The caller announces them after the commit. */
  hints: Announcement[];
}

/** Runs a document through the pipeline again, in one transaction. Throws if it is in progress. */
export async function reprocess(
  db: Db,
  documentId: string,
  admission: Admission,
  run: Run = {},
): Promise<Reprocessed> {
  const { tracing = noTracing } = admission;
  const options = { kind: SpanKind.PRODUCER, attributes: { 'millrace.document': documentId } };
  return tracing.span('reprocess', options, () => begin(db, documentId, admission, run));
}

async function begin(
  db: Db,
  documentId: string,
  admission: Admission,
  run: Run,
): Promise<Reprocessed> {
  try {
    return await db.transaction(async (tx) => {
      if ((await lockOrThrow(tx, documentId)).status === 'in-progress') throw inProgressError();
      const hints = await readmit(tx, documentId, admission, run);
      const { ingestionId } = await lockOrThrow(tx, documentId);
      await closeDeadLettersOfDocument(tx, documentId, {
        state: 'replayed',
        replayedAs: ingestionId,
      });
      return { ingestionId, hints };
    });
  } catch (error) {
    throw violates(error, 'ingestions_one_live') ? inProgressError() : error;
  }
}

async function lockOrThrow(tx: Db, documentId: string) {
  const document = await lockDocument(tx, documentId);
  if (!document) throw new NotFoundError(`There is no document ${documentId}`);
  return document;
}

function inProgressError(): ConflictError {
  return new ConflictError(
    'The document is being processed. Cancel it first, or wait until it has finished.',
  );
}
