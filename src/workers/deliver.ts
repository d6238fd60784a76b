import {
  type DeliveryRow,
  deliveryOfTask,
  endDelivery,
  enterDestination,
  markSubmitting,
  updateDelivery,
} from '../db/deliveries.ts';
import { openDeliveries } from '../deliveries/open.ts';
import { findDestinationKind } from '../destinations/index.ts';
import type { Destination, Handover, HandoverAnswer } from '../destinations/port.ts';
import { done, type Outcome, reject, snooze } from '../engine/pipeline/outcome.ts';
import { defineStage, type StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { LeaseLostError } from '../engine/task/verdict.ts';
import { failpoint } from '../lib/test-hooks.ts';
import { MINUTE, SECOND } from '../lib/time.ts';

type Found = NonNullable<Awaited<ReturnType<typeof deliveryOfTask>>>;

/** Submits a document to a destination, then polls until the manager holds or refuses it. */
export const deliver = defineStage({
  concurrency: 10,
  timeoutMs: 10 * MINUTE,
  admit: (tx, document, { settings, insert }) =>
    openDeliveries(tx, document, () => insert(settings.deliveryGiveUpMs)),
  async run(document, context): Promise<Outcome<'delivered' | 'cancelled'>> {
    const { database, outgoing, seal, task } = context;
    const found = await deliveryOfTask(database.db, task.id);
    if (!found) throw new Error(`Task ${task.id} has no delivery`);
    const { delivery, destination } = found;
    if (found.deletedAt || destination.deletedAt)
      return done('cancelled', (tx) => endDelivery(tx, delivery.id, 'cancelled'));
    if (!destination.enabled)
      return snooze(1 * MINUTE, `The destination ${destination.name} is disabled`);
    const { maxConcurrent } = destination;
    if (maxConcurrent && !(await enterDestination(database.db, delivery, maxConcurrent)))
      return snooze(
        2 * SECOND,
        `The destination ${destination.name} is at its limit of ${maxConcurrent} concurrent deliveries`,
      );
    const secret: unknown = destination.secret
      ? JSON.parse(seal.open(destination.secret))
      : undefined;
    const manager = findDestinationKind(destination.kind).open(
      destination.settings,
      secret,
      outgoing,
    );
    try {
      const answer = await handOver(manager, handoverOf(document, found, context), found, context);
      return outcomeOf(answer, delivery);
    } finally {
      await manager.close();
    }
  },
});

/**
 * Always looks the document up before it submits: the manager may already have it, from another
 * sender or from a run of ours that died. A resend skips the lookup, because the manager would
 * report that it has the document.
 */
async function handOver(
  manager: Destination,
  handover: Handover,
  { delivery, revision }: Found,
  context: StageContext,
): Promise<HandoverAnswer> {
  const { database, task, signal } = context;
  if (delivery.reference !== null) return manager.query(delivery.reference, handover, signal);
  const known = delivery.resends === 0 ? await manager.lookUp(handover, signal) : undefined;
  if (known && known.kind !== 'not-managed') return known;
  if (!(await markSubmitting(database.db, delivery.id, task, revision)))
    throw new LeaseLostError(
      `Task ${task.id}: its lease was lost before the document was submitted`,
    );
  failpoint('deliver', 'marked', handover.name);
  return manager.submit(handover, signal);
}

function outcomeOf(answer: HandoverAnswer, { id, submittedAt }: DeliveryRow): Outcome<'delivered'> {
  switch (answer.kind) {
    case 'managed':
      return done('delivered', (tx) => endDelivery(tx, id, 'managed', answer.externalId));
    case 'submitted': {
      const { reference, askInMs } = answer;
      const values = {
        outcome: 'submitted',
        reference,
        submittedAt: submittedAt ?? new Date(),
      } as const;
      return snooze(askInMs, 'The manager received the document and has not decided yet', {
        exact: true,
        save: (tx) => updateDelivery(tx, id, values),
      });
    }
    case 'not-managed':
      return snooze(
        5 * SECOND,
        'The manager does not have the document although it was submitted',
        {
          save: (tx) =>
            updateDelivery(tx, id, { outcome: 'not-managed', reference: null, submittedAt: null }),
        },
      );
    case 'try-later':
      return snooze(answer.ms, answer.reason, {
        exact: true,
        save: (tx) => updateDelivery(tx, id, { outcome: 'try-again-later' }),
      });
    case 'rejected':
      return reject('DELIVERY_REJECTED', answer.reason);
    default:
      return answer satisfies never;
  }
}

function handoverOf(
  document: StageDocument,
  found: Found,
  { storage, signal }: StageContext,
): Handover {
  const { id: documentId, workspaceId, batchId, name, bytes, sha256 } = document;
  const { path, documentType, structuredData, needsReview, md5, delivery } = found;
  const { metadata, family } = found;
  const mediaType = document.mediaType ?? 'application/octet-stream';
  return {
    key: delivery.resends === 0 ? delivery.id : `${delivery.id}-${delivery.resends}`,
    documentId,
    name,
    mediaType,
    bytes,
    sha256,
    md5,
    result: {
      documentId,
      workspaceId,
      batchId,
      name,
      path,
      mediaType,
      bytes,
      sha256,
      documentType,
      structuredData,
      needsReview,
      metadata,
      family,
    },
    open: () => storage.get(document.storageKey, signal),
  };
}
