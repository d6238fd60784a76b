import { json, type Request, Router } from 'express';
import { z } from 'zod';
import { findDocument, listDocuments } from '../../db/documents.ts';
import { ingestions } from '../../db/schema/ingestions.ts';
import { cancelIngestion } from '../../engine/task/cancel.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import { remove } from '../../lifecycle/remove.ts';
import { reprocess } from '../../lifecycle/reprocess.ts';
import type { ApiContext, Routes } from '../context.ts';
import { documentHref, documentJson } from '../document-json.ts';
import { audit } from '../middleware/audit.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { pageQuery, toPage } from '../page.ts';
import { parse, parseId } from '../parse.ts';
import { parseRunOptions, runAgain } from '../run-again.ts';
import { checkHeaders, isMultipart, receiveBody, receiveForm } from '../upload/receive.ts';

export const listQuery = pageQuery.extend({
  batchId: z.uuid().optional(),
  status: z.enum(ingestions.status.enumValues).optional(),
  needsReview: z.stringbool().optional(),
});

export const documents: Routes = (context) => {
  const { resources, intake } = context;
  const { db } = resources.database;
  const router = Router();

  router.post('/', async (req, res) => {
    checkHeaders(req, intake);
    if (isMultipart(req)) {
      const received = await receiveForm(context, req);
      res
        .status(202)
        .location(received.documents[0]?.href ?? '/v1/documents')
        .json(received);
    } else {
      const received = await receiveBody(context, req);
      res.status(202).location(received.href).json(received);
    }
  });

  router.get('/', async (req, res) => {
    const { cursor, limit, ...filters } = parse(listQuery, req.query);
    const { workspaceId } = requireCaller(req);
    const page = await toPage(limit, (most) =>
      listDocuments(db, { workspaceId, ...filters, before: cursor, limit: most }),
    );
    res.json({ documents: page.items.map(documentJson), nextCursor: page.nextCursor });
  });

  router.get('/:id', async (req, res) => {
    res.json(documentJson(await requireDocument(context, req)));
  });

  router.post('/:id/reprocess', json(), async (req, res) => {
    const run = parseRunOptions(context, parse(runAgain, req.body ?? {}).overrides);
    const { id } = await requireDocument(context, req);
    const { ingestionId, hints } = await reprocess(db, id, intake, run);
    await intake.announce(hints);
    res
      .status(202)
      .location(documentHref(id))
      .json({ id, ingestionId, status: 'in-progress', href: documentHref(id) });
  });

  router.post('/:id/cancel', async (req, res) => {
    const { id, ingestionId, status } = await requireDocument(context, req);
    const hints = await db.transaction((tx) => cancelIngestion(tx, ingestionId, intake));
    if (!hints) throw new ConflictError(`The document is already ${status}.`);
    await intake.announce(hints);
    res.json({ id, ingestionId, status: 'cancelled', href: documentHref(id) });
  });

  router.delete('/:id', async (req, res) => {
    const id = parseId(req);
    await remove(resources, intake, id, {
      workspaceId: requireCaller(req).workspaceId,
      record: (tx, { workspaceId, name }) =>
        audit(tx, req, { id, workspaceId, details: { name }, status: 204 }),
    });
    res.status(204).end();
  });

  return router;
};

/** The document named in the path. Throws a 404 if the caller may not see it. */
export async function requireDocument({ resources }: ApiContext, req: Request) {
  const id = parseId(req);
  const document = await findDocument(resources.database.db, id, requireCaller(req).workspaceId);
  if (!document) throw new NotFoundError(`There is no document ${id}`);
  return document;
}
