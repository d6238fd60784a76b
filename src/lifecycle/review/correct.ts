import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../db/index.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { reviews } from '../../db/schema/reviews.ts';
import { requireType } from '../../db/schemas.ts';
import { listChanges } from '../../domain/review.ts';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import { misfit } from '../../domain/schema/misfit.ts';
import { ConflictError, UsageError } from '../../errors.ts';
import type { Resources } from '../../resources.ts';
import type { GateVerdict } from '../../understanding/gate/index.ts';
import { recheck } from './recheck.ts';
import {
  assertRevision,
  carryOver,
  lockReviewed,
  type Reviewed,
  recordAction,
} from './reviewed.ts';

type Needs = Pick<Resources, 'database' | 'storage' | 'sandbox'>;

export interface Correction {
  documentId: string;
  /** New values by field; null removes a value. */
  values: Readonly<Record<string, unknown>>;
  /** Id of the key of the person. */
  actor: string;
  /** The revision that the person has seen. */
  revision?: number | undefined;
}

export interface Corrected {
  revision: number;
  values: Record<string, unknown>;
  verdict: GateVerdict;
}

/**
 * Replaces values of a document by those of a person, and judges all values again. The values of
 * the machine are kept for comparison. Judging takes place before the transaction, which checks
 * that nobody changed the values meanwhile.
 */
export async function correct(needs: Needs, correction: Correction): Promise<Corrected> {
  const { db } = needs.database;
  const { documentId, values, actor, revision: expected } = correction;
  const seen = await db.transaction((tx) => lockReviewed(tx, documentId));
  assertRevision(seen, expected);
  const judged = await judgeCorrected(needs, seen, values);
  return db.transaction(async (tx) => {
    const current = await lockReviewed(tx, documentId);
    assertRevision(current, seen.revision);
    if (current.ingestionId !== seen.ingestionId)
      throw new ConflictError('The document was processed again meanwhile.');
    const before = current.structuredData ?? {};
    const changes = listChanges(before, values);
    if (changes.length === 0) return { ...judged, revision: current.revision };
    const revision = current.revision + 1;
    await saveValues(tx, current, { ...judged, revision });
    await recordAction(tx, current, { action: 'corrected', actor, revision, changes });
    return { ...judged, revision };
  });
}

async function judgeCorrected(
  needs: Needs,
  seen: Reviewed,
  given: Correction['values'],
): Promise<Omit<Corrected, 'revision'>> {
  const { documentType, transcriptionKey: key, transcriptionSha256: sha256 } = seen;
  if (documentType === null || !key || !sha256)
    throw new ConflictError('The document has no fields: no data was extracted from it.');
  const schema = await requireType(needs.database.db, seen.workspaceId, documentType);
  assertFitting(given, schema);
  const values = { ...seen.structuredData, ...given };
  const machine = seen.machineData ?? seen.structuredData ?? {};
  const settled = listChanges(machine, values).map(({ field }) => field);
  const confirmed = [...new Set([...settled, ...Object.keys(given)])];
  const transcription = { key, sha256 };
  const verdict = await recheck(needs, { schema, values, settled: confirmed, transcription });
  return { values, verdict };
}

function assertFitting(given: Correction['values'], { name: type, fields }: DocumentSchema): void {
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field)
      throw new UsageError(
        `The document type ${type} has no field "${name}".`,
        `Its fields are ${Object.keys(fields).join(', ')}.`,
      );
    const wrong = misfit(value, field);
    if (wrong) throw new UsageError(`${name} ${wrong}.`);
  }
}

async function saveValues(tx: Db, current: Reviewed, { values, verdict, revision }: Corrected) {
  const { documentId, ingestionId } = current;
  await tx
    .update(ingestions)
    .set({
      structuredData: values,
      machineData: sql`coalesce(${ingestions.machineData}, ${ingestions.structuredData})`,
      verdict: { ...current.verdict, ...verdict },
      validStructuredData: verdict.valid,
      revision,
    })
    .where(eq(ingestions.id, ingestionId));
  const open = await tx
    .update(reviews)
    .set({ reasons: verdict.reasons, fields: fieldsInDoubt(verdict) })
    .where(sql`${reviews.documentId} = ${documentId} and ${reviews.state} = 'open'`)
    .returning({ id: reviews.documentId });
  // An open review ends by approval, not by the last correction.
  await carryOver(tx, current, open.length > 0);
}

function fieldsInDoubt({ fields }: GateVerdict): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.ok === false);
}
