import type { Db } from '../db/index.ts';
import type { Admission } from '../engine/admission/admission.ts';
import type { Announcement } from '../engine/task/task.ts';
import { batchCallsBy } from '../lib/batch-calls-by.ts';
import { type Admitted, admitAll } from './admit.ts';
import { assertType } from './assert-type.ts';
import type { NewDocument } from './insert-documents.ts';

export interface IntakeSettings extends Admission {
  maxBytes: number;
  announce(hints: Announcement[]): Promise<void>;
}

export interface Intake extends IntakeSettings {
  /** Commits a document, together with those that come to the same place at the same time. */
  admit(document: NewDocument): Promise<Committed>;
  /** Refuses a document type that the workspace does not know. */
  assertType(workspaceId: string, type: string | undefined): Promise<void>;
}

export interface Committed extends Admitted {
  /** Its first task, if it may start, is in its queue. */
  announced: Promise<void>;
}

/** The lock of a workspace is taken, and the disk waited for, once for all that wait for it. */
export function openIntake(db: Db, settings: IntakeSettings): Intake {
  const admitTogether = async (documents: NewDocument[]): Promise<Committed[]> => {
    const [one] = documents;
    if (!one) return [];
    const { admitted, hints } = await db.transaction((tx) =>
      admitAll(tx, one, documents, settings),
    );
    const announced = settings.announce(hints);
    return admitted.map((answer) => ({ ...answer, announced }));
  };
  const placeOf = ({ workspaceId, batchId }: NewDocument) => `${workspaceId} ${batchId}`;
  return {
    ...settings,
    admit: batchCallsBy(placeOf, admitTogether, { most: 100, inFlight: 1 }),
    assertType: (workspaceId, type) => assertType(db, workspaceId, type),
  };
}
