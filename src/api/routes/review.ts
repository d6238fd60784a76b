import { json, Router } from 'express';
import { z } from 'zod';
import {
  claimMs,
  claimNext,
  claimReview,
  countReviews,
  findReview,
  listReviewChanges,
  listReviews,
  type Review,
  releaseReview,
} from '../../db/reviews.ts';
import { reviewStates } from '../../domain/review.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { SECOND } from '../../lib/time.ts';
import type { ApiContext, Routes } from '../context.ts';
import { documentHref } from '../document-json.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse } from '../parse.ts';
import { requireDocument } from './documents.ts';

const filters = {
  type: z.string().max(100).optional().describe('Document type'),
  reason: z
    .string()
    .max(200)
    .optional()
    .describe('Text contained in a reason, or the name of a field in doubt'),
};
export const reviewQuery = pageQuery.extend({
  ...filters,
  assignee: z
    .string()
    .max(100)
    .optional()
    .describe('Id of the key that holds it; "me" = your own key, "none" = nobody'),
  state: z.enum(reviewStates).default('open'),
  sort: z.enum(['oldest', 'newest']).default('oldest').describe('Within the same priority'),
});
export const nextReview = named('NextReview', z.strictObject(filters));

/** The queue of documents that wait for a person. */
export const review: Routes = (context) => {
  const { db } = context.resources.database;
  const router = Router();

  router.get('/', async (req, res) => {
    const { cursor, limit, assignee, ...listing } = parse(reviewQuery, req.query);
    const { workspaceId, keyId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listReviews(db, {
        ...listing,
        workspaceId,
        assignee: assignee === 'me' ? keyId : assignee,
        after: cursor,
        limit: most,
      }),
    );
    const counts = await countReviews(db, workspaceId);
    res.json({ reviews: page.items.map(reviewJson), nextCursor: page.nextCursor, counts });
  });

  router.post('/next', json(), async (req, res) => {
    const filter = parse(nextReview, req.body ?? {});
    const { workspaceId, keyId } = requireCaller(req);
    const id = await claimNext(db, keyId, { ...filter, workspaceId });
    if (id === undefined) return res.status(204).end();
    res.json(await describe(context, id));
  });

  router.get('/:id', async (req, res) => {
    const { id } = await requireDocument(context, req);
    res.json({
      ...(await describe(context, id)),
      history: await listReviewChanges(db, id),
    });
  });

  router.post('/:id/claim', async (req, res) => {
    const { id } = await requireDocument(context, req);
    await claimOrThrow(context, id, requireCaller(req).keyId);
    res.json(await describe(context, id));
  });

  router.post('/:id/release', async (req, res) => {
    const { id } = await requireDocument(context, req);
    const { keyId, role } = requireCaller(req);
    await releaseReview(db, id, role === 'user' ? keyId : undefined);
    res.json(await describe(context, id));
  });

  return router;
};

/** Whoever acts on a review holds it. Throws a 409 if somebody else does. */
export async function claimOrThrow(
  { resources }: ApiContext,
  documentId: string,
  keyId: string,
): Promise<void> {
  const { db } = resources.database;
  if (await claimReview(db, documentId, keyId)) return;
  const found = await findReview(db, documentId);
  if (found?.state !== 'open') throw new ConflictError('The document does not wait for a review.');
  throw new ConflictError(`The key ${found.assignee ?? 'of somebody else'} holds the review.`);
}

async function describe({ resources }: ApiContext, id: string) {
  const found = await findReview(resources.database.db, id);
  if (!found) throw new NotFoundError(`The document ${id} has no review`);
  return reviewJson(found);
}

function reviewJson({ assignee, claimedUntil, ...rest }: Review) {
  return {
    ...rest,
    assignee,
    claimedUntil: assignee === null ? null : claimedUntil,
    heartbeatSeconds: claimMs / SECOND / 3,
    href: `/v1/review/${rest.id}`,
    document: documentHref(rest.id),
  };
}
