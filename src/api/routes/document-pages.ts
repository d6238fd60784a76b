import { pipeline } from 'node:stream/promises';
import { type Request, Router } from 'express';
import { z } from 'zod';
import { findFormat } from '../../content/index.ts';
import { type ImageFormat, imageFormats } from '../../content/page-image.ts';
import type { DocumentView } from '../../db/documents.ts';
import { problems } from '../../domain/problem.ts';
import { NotFoundError } from '../../errors.ts';
import { runAs } from '../../lib/run-owner.ts';
import { type PagedDocument, PageImages } from '../../renditions/page-images.ts';
import type { RenderFormat } from '../../understanding/operations.ts';
import { notReady } from '../content-absent.ts';
import type { ApiContext, Routes } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { parse } from '../parse.ts';
import { withRendered } from '../rendered-transcription.ts';
import { toRenditionProblem } from '../rendition-problem.ts';
import { isUnchanged } from '../revalidated.ts';
import { sendFile } from '../send-file.ts';
import { requireDocument } from './documents.ts';

/** In pixels. Few, so that pages are drawn once for many screens; the last is A4 at 250 dpi. */
const widths = [160, 320, 640, 1024, 1600, 2048] as const;
const widest = widths[widths.length - 1] ?? 2048;

export const imageQuery = z.object({
  width: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(1024)
    .describe(`In pixels; rounded up to one of ${widths.join(', ')}. Never enlarges a page`),
  format: z.enum(imageFormats).optional().describe('By the header Accept if absent'),
});

export const documentPages: Routes = (context) => {
  const { storage } = context.resources;
  const images = new PageImages(context.resources);
  const router = Router();

  router.get('/:id/pages', async (req, res) => {
    const { document, hasImages } = await requirePages(context, req);
    if (isUnchanged(req, res, `${document.transcriptionSha256}-pages`)) return;
    const { mediaType } = document;
    const format: RenderFormat = { as: 'pages', mediaType, images: hasImages };
    await render(context, document, format, (path) =>
      sendFile(req, res, { path, mediaType: 'application/json' }),
    );
  });

  router.get('/:id/pages/:page/words', async (req, res) => {
    const { document } = await requirePages(context, req);
    const page = parsePage(req);
    if (isUnchanged(req, res, `${document.transcriptionSha256}-words-${page}`)) return;
    await render(context, document, { as: 'words', page }, (path) =>
      sendFile(req, res, { path, mediaType: 'application/json' }),
    );
  });

  router.get('/:id/pages/:page/image', async (req, res) => {
    const { document, hasImages } = await requirePages(context, req);
    const query = parse(imageQuery, req.query);
    if (!hasImages) throw noImages(document);
    const width = widths.find((step) => step >= query.width) ?? widest;
    const format = query.format ?? acceptedFormat(req);
    const image = { page: parsePage(req), width, format };
    res.vary('Accept');
    const etag = `${document.transcriptionSha256}-${image.page}-${width}-${format}`;
    if (isUnchanged(req, res, etag)) return;
    const { key, bytes } = await images.find(document, image).catch((error: unknown) => {
      throw toRenditionProblem(error);
    });
    res.set({
      'Content-Type': `image/${format}`,
      'Content-Length': String(bytes),
      'Content-Disposition': 'inline',
      'Content-Security-Policy': 'sandbox',
    });
    if (req.method === 'HEAD') return res.end();
    await pipeline(await storage.get(key), res);
  });

  return router;
};

/** The document, if it was read, and whether it has pages of its own that can be drawn. */
async function requirePages(context: ApiContext, req: Request) {
  const view = await requireDocument(context, req);
  const { transcriptionKey, transcriptionSha256 } = view;
  if (!transcriptionKey || !transcriptionSha256) throw noPages(view);
  const mediaType = view.mediaType ?? 'application/octet-stream';
  const document = { ...view, mediaType, transcriptionKey, transcriptionSha256 };
  return { document, hasImages: findFormat(mediaType)?.pages !== undefined };
}

function noPages(view: DocumentView): HttpError {
  if (view.status === 'in-progress') return notReady(view);
  const [problem] = view.problems;
  return new HttpError('The document has no pages, because it was not read.', {
    status: 404,
    code: 'NO_PAGES',
    hint: problem ? problems[problem.code] : 'GET /v1/documents/:id shows what happened to it.',
  });
}

function noImages({ id, mediaType }: PagedDocument): HttpError {
  return new HttpError(`Files of the type ${mediaType} have no pages of their own to show.`, {
    status: 404,
    code: 'NO_PAGE_IMAGE',
    hint: `GET /v1/documents/${id}/text has the text. Only PDFs and images have page images.`,
  });
}

function parsePage({ params: { page } }: Request): number {
  if (typeof page !== 'string' || !/^[1-9]\d{0,6}$/.test(page))
    throw new NotFoundError('There is no such page. Pages are numbered from 1.');
  return Number(page);
}

function acceptedFormat(req: Request): ImageFormat {
  const accepted = req.accepts(imageFormats.map((format) => `image/${format}`));
  const format = imageFormats.find((each) => `image/${each}` === accepted);
  if (format) return format;
  throw new HttpError('Page images are available as image/webp and image/png only.', {
    status: 406,
    code: 'NOT_ACCEPTABLE',
    hint: 'Add one of them to the header Accept, or choose with ?format=png.',
  });
}

/** Writes part of the transcription in the sandbox, in a process of this workspace. */
function render(
  { resources }: ApiContext,
  { id, workspaceId, transcriptionKey: key, transcriptionSha256: sha256 }: PagedDocument,
  format: RenderFormat,
  send: (path: string) => Promise<void>,
): Promise<void> {
  const owner = { workspaceId, taskId: id };
  return runAs(owner, () => withRendered(resources, { key, sha256 }, format, send));
}
