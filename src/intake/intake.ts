import type { Db } from '../db/index.ts';
import { assertType } from '../db/schemas.ts';
import type { Admission } from '../engine/admission/admission.ts';
import type { Announcement } from '../engine/task/task.ts';
import { batchCallsBy } from '../lib/batch-calls.ts';
import { type Admitted, admitAll } from './admit.ts';
import type { NewDocument } from './insert-documents.ts';

export interface IntakeSettings extends Admission {
  maxBytes: number;
  announce(hints: Announcement[]): Promise<void>;
}

export interface Intake extends IntakeSettings {
  /** Commits a document, grouped with others for the same workspace and batch. */
  admit(document: NewDocument): Promise<Committed>;
  /** Throws if the workspace does not have this document type. */
  assertType(workspaceId: string, type: string | undefined): Promise<void>;
}

export interface Committed extends Admitted {
  /** Resolves when its first task, if it has one, is in its queue. */
  announced: Promise<void>;
}

/** Group commit: concurrent uploads share one workspace lock and one disk flush. */
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
