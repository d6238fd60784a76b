import { json, Router } from 'express';
import { z } from 'zod';
import { assertFillable } from '../../intake/batch-account.ts';
import { importPrefix } from '../../lifecycle/batch/import-prefix.ts';
import type { Routes } from '../context.ts';
import { named } from '../named.ts';
import { parse } from '../parse.ts';
import { checkHeaders, isMultipart, receiveBody, receiveForm } from '../upload/receive.ts';
import { requireBatch } from './batches.ts';

export const source = named(
  'ImportSource',
  z.strictObject({
    prefix: z
      .string()
      .max(500)
      .regex(
        /^(?!.*\.\.)[\w./-]*$/,
        'may contain only letters, digits, "." "_" "-" and "/", and no ".."',
      )
      .default(''),
  }),
);

/**
 * Adds documents to a batch. Whether it accepts documents is checked before the body is read, and
 * again on admission.
 */
export const batchDocuments: Routes = (context) => {
  const { resources, intake } = context;
  const router = Router();

  router.post('/:id/documents', async (req, res) => {
    checkHeaders(req, intake);
    const batch = await requireBatch(context, req);
    assertFillable(batch);
    const received = isMultipart(req)
      ? await receiveForm(context, req, batch)
      : await receiveBody(context, req, batch);
    res.status(202).json(received);
  });

  router.post('/:id/import', json(), async (req, res) => {
    const { prefix } = parse(source, req.body ?? {});
    const batch = await requireBatch(context, req);
    assertFillable(batch);
    res.json(await importPrefix(resources, intake, batch, prefix));
  });

  return router;
};
