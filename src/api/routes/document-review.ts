import { json, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { documentType, type RequestedOverrides } from '../../domain/overrides.ts';
import { UsageError } from '../../errors.ts';
import { correct } from '../../lifecycle/review/correct.ts';
import { type Rerun, rerun } from '../../lifecycle/review/rerun.ts';
import { approve, reject } from '../../lifecycle/review/settle.ts';
import type { Routes } from '../context.ts';
import { documentHref, documentJson } from '../document-json.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { named } from '../named.ts';
import { parse } from '../parse.ts';
import { parseRunOptions, runAgain } from '../run-again.ts';
import { requireDocument } from './documents.ts';
import { claimOrThrow } from './review.ts';

export const corrections = named(
  'Corrections',
  z.strictObject({
    fields: z
      .record(z.string().max(100), z.unknown())
      .describe('New values by field; null removes a value'),
  }),
);
export const approval = named(
  'Approval',
  z.strictObject({ fields: corrections.shape.fields.optional() }),
);
export const rejection = named(
  'Rejection',
  z.strictObject({ reason: z.string().trim().min(1).max(2_000) }),
);
export const reclassification = named('Reclassification', z.strictObject({ documentType }));

const actions = ['fields', 'approve', 'reject', 'reclassify', 'reread'];

/** Whether a path below `/v1/documents` is one of these routes. */
export function isReviewPath(path: string): boolean {
  return actions.some((action) => path.endsWith(`/${action}`));
}

/** What a person does with the values of one document. */
export const documentReview: Routes = (context) => {
  const { resources, intake } = context;
  const { db } = resources.database;
  const router = Router();
  const body = json({ limit: '5mb' });

  router.patch('/:id/fields', body, async (req, res) => {
    const { fields: values } = parse(corrections, req.body ?? {});
    const { id, needsReview } = await requireDocument(context, req);
    const { keyId: actor } = requireCaller(req);
    const revision = readRevision(req);
    if (revision === undefined)
      throw new UsageError(
        'The header If-Match is required.',
        'Send the revision of the document that you have seen, such as If-Match: "0".',
      );
    if (needsReview) await claimOrThrow(context, id, actor);
    const corrected = await correct(resources, { documentId: id, values, actor, revision });
    res.set('ETag', `"${corrected.revision}"`).json({ id, ...corrected, href: documentHref(id) });
  });

  router.post('/:id/approve', body, async (req, res) => {
    const { fields } = parse(approval, req.body ?? {});
    const { id: documentId } = await requireDocument(context, req);
    const { keyId: actor } = requireCaller(req);
    await claimOrThrow(context, documentId, actor);
    let revision = readRevision(req);
    if (fields)
      ({ revision } = await correct(resources, { documentId, values: fields, actor, revision }));
    const { deliveryGiveUpMs } = resources.settings;
    const hints = await approve(db, { documentId, actor, revision }, deliveryGiveUpMs);
    await intake.announce(hints);
    res.json(documentJson(await requireDocument(context, req)));
  });

  router.post('/:id/reject', body, async (req, res) => {
    const { reason } = parse(rejection, req.body ?? {});
    const { id: documentId } = await requireDocument(context, req);
    const { keyId: actor } = requireCaller(req);
    await claimOrThrow(context, documentId, actor);
    await reject(db, { documentId, actor, revision: readRevision(req), reason });
    res.json(documentJson(await requireDocument(context, req)));
  });

  const runAgainAs = async (
    req: Request,
    res: Response,
    action: Rerun['action'],
    overrides: RequestedOverrides,
  ) => {
    const { id: documentId } = await requireDocument(context, req);
    const { keyId: actor } = requireCaller(req);
    const run = parseRunOptions(context, overrides);
    const { ingestionId } = await rerun(db, intake, { documentId, actor, action, run });
    const href = documentHref(documentId);
    res
      .status(202)
      .location(href)
      .json({ id: documentId, ingestionId, status: 'in-progress', href });
  };

  router.post('/:id/reclassify', body, (req, res) => {
    const { documentType: type } = parse(reclassification, req.body ?? {});
    return runAgainAs(req, res, 'reclassified', { documentType: type, fromStage: 'extract' });
  });

  router.post('/:id/reread', body, (req, res) =>
    runAgainAs(req, res, 'reread', parse(runAgain, req.body ?? {}).overrides),
  );

  return router;
};

/** The revision in `If-Match: "3"`. */
function readRevision(req: Request): number | undefined {
  const header = req.get('If-Match');
  if (header === undefined) return undefined;
  const [, digits] = /^(?:W\/)?"(\d{1,9})"$/.exec(header) ?? [];
  if (digits === undefined)
    throw new UsageError('If-Match must be a revision in quotes, such as "3".');
  return Number(digits);
}
