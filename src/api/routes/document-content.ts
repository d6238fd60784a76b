import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import { z } from 'zod';
import type { DocumentView } from '../../db/documents.ts';
import { NotFoundError } from '../../errors.ts';
import { keys } from '../../lib/keys.ts';
import { runAs } from '../../lib/run-owner.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { attachment } from '../../storage/attachment.ts';
import { contentAbsent, notReady } from '../content-absent.ts';
import type { Routes } from '../context.ts';
import { resultJson } from '../document-json.ts';
import { parse } from '../parse.ts';
import { withRendered } from '../rendered-transcription.ts';
import { sendFile } from '../send-file.ts';
import { requireDocument } from './documents.ts';

const linkMs = 5 * MINUTE;

/** Storage key, download name and media type of each artifact. */
const artifacts = {
  original: ({ storageKey, name, mediaType }: DocumentView) => ({
    key: storageKey,
    name,
    mediaType,
  }),
  transcription: ({ transcriptionKey, name }: DocumentView) => ({
    key: transcriptionKey,
    name: `${name}.transcription.json.gz`,
    mediaType: 'application/gzip',
  }),
  preprocessed: ({ preprocessedKey, preprocessedType, name }: DocumentView) => ({
    key: preprocessedKey,
    name: `${name}.preprocessed${extname(preprocessedKey ?? '')}`,
    mediaType: preprocessedType,
  }),
};
const artifactName = z.enum(keys(artifacts));
export const textQuery = z.object({ format: z.enum(['text', 'json']).default('text') });

export const documentContent: Routes = (context) => {
  const { storage } = context.resources;
  const router = Router();

  router.get('/:id/result', async (req, res) => {
    const view = await requireDocument(context, req);
    if (view.status === 'in-progress') throw notReady(view);
    res.json(resultJson(view));
  });

  router.get('/:id/text', async (req, res) => {
    const view = await requireDocument(context, req);
    const { format } = parse(textQuery, req.query);
    if (!view.transcriptionKey || !view.transcriptionSha256) throw contentAbsent(view, 'text');
    const stored = { key: view.transcriptionKey, sha256: view.transcriptionSha256 };
    const mediaType = format === 'json' ? 'application/json' : 'text/plain; charset=utf-8';
    const send = (path: string) => sendFile(req, res, { path, mediaType });
    const owner = { workspaceId: view.workspaceId, taskId: view.id };
    await runAs(owner, () => withRendered(context.resources, stored, { as: format }, send));
  });

  router.get('/:id/artifacts/:name', async (req, res) => {
    const view = await requireDocument(context, req);
    const kind = artifactName.safeParse(req.params.name).data;
    if (!kind)
      throw new NotFoundError(
        `There is no artifact of this name. Available: ${keys(artifacts).join(', ')}.`,
      );
    const { key, name, mediaType } = artifacts[kind](view);
    if (!key) throw contentAbsent(view, `artifact ${kind}`);
    const link = await storage.link(key, name, linkMs / SECOND);
    if (link) return res.redirect(307, link);
    const object = await storage.head(key);
    if (!object) throw new NotFoundError(`The artifact ${kind} is no longer stored.`);
    res.set({
      'Content-Type': mediaType ?? 'application/octet-stream',
      'Content-Length': String(object.bytes),
      'Content-Disposition': attachment(name),
      'Content-Security-Policy': 'sandbox',
    });
    if (req.method === 'HEAD') return res.end();
    await pipeline(await storage.get(key), res);
  });

  return router;
};
