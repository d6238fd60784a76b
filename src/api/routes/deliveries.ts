import { json, type Request, Router } from 'express';
import { z } from 'zod';
import { type DeliveryView, findDelivery, listDeliveries } from '../../db/deliveries.ts';
import { findDestination } from '../../db/destinations.ts';
import { findDocument } from '../../db/documents.ts';
import { cancelDelivery } from '../../deliveries/cancel.ts';
import { openDelivery } from '../../deliveries/open.ts';
import { queueDelivery } from '../../deliveries/queue.ts';
import { resendDelivery } from '../../deliveries/resend.ts';
import { deliveryStatuses } from '../../domain/delivery.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { keys } from '../../lib/keys.ts';
import type { ApiContext, Routes } from '../context.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId } from '../parse.ts';

export const listQuery = pageQuery.extend({
  status: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(keys(deliveryStatuses))))
    .optional(),
  documentId: z.uuid().optional(),
  destinationId: z.uuid().optional(),
  outdated: z.stringbool().optional(),
});
export const newDelivery = named(
  'NewDelivery',
  z.strictObject({
    documentId: z.uuid(),
    destinationId: z.uuid(),
    notBefore: z.coerce.date().optional(),
  }),
);

export const deliveries: Routes = (context) => {
  const { resources, intake } = context;
  const { db } = resources.database;
  const router = Router();
  router.use(json({ limit: '10kb' }));

  router.get('/', async (req, res) => {
    const { cursor, limit, ...filters } = parse(listQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listDeliveries(db, { workspaceId, ...filters, before: cursor, limit: most }),
    );
    res.json({ deliveries: page.items, nextCursor: page.nextCursor });
  });

  router.get('/:id', async (req, res) => {
    res.json(await requireDelivery(context, req));
  });

  router.post('/', async (req, res) => {
    const { documentId, destinationId, notBefore } = parse(newDelivery, req.body);
    const { workspaceId } = requireCaller(req);
    const document = await findDocument(db, documentId, workspaceId);
    if (!document) throw new NotFoundError(`There is no document ${documentId}`);
    if (!(await findDestination(db, destinationId, document.workspaceId)))
      throw new NotFoundError(`There is no destination ${destinationId}`);
    if (document.status !== 'completed')
      throw new ConflictError(`The document is ${document.status}, not completed.`);
    const ingestion = { id: document.ingestionId };
    const inMs = Math.max(0, (notBefore?.getTime() ?? 0) - Date.now());
    const opening = { destinationId, state: notBefore ? 'scheduled' : 'received', inMs } as const;
    const id = await openDelivery(db, { ...document, ingestion }, opening);
    if (!id)
      throw new ConflictError(
        'The document was already delivered to this destination, or its delivery is in progress.',
      );
    res
      .status(202)
      .location(`/v1/deliveries/${id}`)
      .json(await findDelivery(db, id, workspaceId));
  });

  router.post('/:id/cancel', async (req, res) => {
    const { id, status } = await requireDelivery(context, req);
    if (!(await cancelDelivery(db, id)))
      throw new ConflictError(`The delivery is ${status} and can no longer be cancelled.`);
    res.json(await requireDelivery(context, req));
  });

  router.post('/:id/retry', async (req, res) => {
    const delivery = await requireDelivery(context, req);
    const { id, state, outcome, status } = delivery;
    if (state !== 'ended' || outcome === 'managed')
      throw new ConflictError(
        `The delivery is ${status}. Only a delivery that ended without success can be retried.`,
      );
    const hint = await db.transaction((tx) =>
      queueDelivery(tx, { id, expected: delivery }, resources.settings.deliveryGiveUpMs),
    );
    if (hint) await intake.announce([hint]);
    res.status(202).json(await requireDelivery(context, req));
  });

  router.post('/:id/resend', async (req, res) => {
    const delivery = await requireDelivery(context, req);
    const hint = await resendDelivery(db, delivery, resources.settings.deliveryGiveUpMs);
    await intake.announce([hint]);
    res.status(202).json(await requireDelivery(context, req));
  });

  return router;
};

async function requireDelivery({ resources }: ApiContext, req: Request): Promise<DeliveryView> {
  const id = parseId(req);
  const delivery = await findDelivery(resources.database.db, id, requireCaller(req).workspaceId);
  if (!delivery) throw new NotFoundError(`There is no delivery ${id}`);
  return delivery;
}
