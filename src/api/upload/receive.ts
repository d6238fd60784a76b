import type { Request } from 'express';
import { z } from 'zod';
import type { Batch } from '../../db/batches.ts';
import { documentType } from '../../domain/overrides.ts';
import { TooLargeError, UsageError } from '../../errors.ts';
import { tooLarge } from '../../intake/hash.ts';
import { smallBytes } from '../../intake/store.ts';
import { type Upload, type Uploaded, upload } from '../../intake/upload.ts';
import { overlay } from '../../lib/overlay.ts';
import type { ApiContext } from '../context.ts';
import { documentHref } from '../document-json.ts';
import { HttpError } from '../http-error.ts';
import { requireCaller } from '../middleware/authenticate.ts';
import { parse, readIdempotencyKey } from '../parse.ts';
import { toProblem } from '../problem-json.ts';
import { readFileName } from './file-name.ts';
import { detachedCopy, eachPart, framingBytes } from './multipart.ts';
import { quotaExceeded } from './quotas.ts';
import { readAll } from './read-all.ts';

export const uploadQuery = z.object({
  type: documentType
    .optional()
    .describe('Document type, or "auto" to detect it; defaults to the type of the batch, if any'),
});

/** Rejects what the headers alone rule out, before the body is read. */
export function checkHeaders(req: Request, { maxBytes }: ApiContext['intake']): void {
  const encoding = req.get('Content-Encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw new HttpError(`The Content-Encoding ${encoding} is not supported.`, {
      status: 415,
      code: 'UNSUPPORTED_ENCODING',
    });
  }
  const most = isMultipart(req) ? maxBytes + framingBytes : maxBytes;
  if (Number(req.get('Content-Length') ?? 0) > most) throw tooLarge(maxBytes);
}

export function isMultipart(req: Request): boolean {
  return /^multipart\/form-data\b/i.test(req.get('Content-Type') ?? '');
}

/** Receives one document, sent as the raw body. */
export async function receiveBody(context: ApiContext, req: Request, batch?: Batch) {
  const name = readFileName(req);
  if (name === undefined) {
    throw new UsageError(
      'The document has no name.',
      'Pass ?name=invoice.pdf or the header X-File-Name, or send multipart/form-data.',
    );
  }
  const idempotencyKey = readIdempotencyKey(req);
  const { type: documentType } = parse(uploadQuery, req.query);
  const body = isSmall(req) ? await readAll(req) : detachedCopy(req);
  const file = { name, declaredType: req.get('Content-Type'), documentType, body, idempotencyKey };
  return take(context, req, file, batch);
}

function isSmall(req: Request): boolean {
  return Number(req.get('Content-Length') ?? Number.NaN) <= smallBytes;
}

/** Receives one document per file of a form. A file that fails does not affect the others. */
export async function receiveForm(context: ApiContext, req: Request, batch?: Batch) {
  const requestKey = readIdempotencyKey(req);
  const { type } = parse(uploadQuery, req.query);
  let files = 0;
  const documents: Awaited<ReturnType<typeof take>>[] = [];
  const failures: { name: string; error: unknown }[] = [];
  const complaints = await eachPart(req, context.intake.maxBytes, async (part) => {
    files += 1;
    try {
      // One key per file, so that a repeated request is matched file by file.
      const idempotencyKey = requestKey && `${requestKey}/${files}`;
      const { type: documentType } = parse(uploadQuery, { type: part.documentType ?? type });
      documents.push(await take(context, req, { ...part, documentType, idempotencyKey }, batch));
    } catch (error) {
      failures.push({ name: part.name, error });
    }
  });
  failures.push(...complaints.map((complaint) => ({ name: '', error: new UsageError(complaint) })));
  const [first] = failures;
  if (documents.length > 0)
    return { documents, errors: failures.map(({ name, error }) => failure(name, error)) };
  if (first) throw first.error;
  throw new UsageError('The form contains no file.', 'Send at least one part with a filename.');
}

async function take(
  context: ApiContext,
  req: Request,
  file: Omit<Upload, 'workspaceId'>,
  batch?: Batch,
) {
  const workspaceId =
    batch?.workspaceId ?? requireCaller(req).workspaceId ?? context.defaultWorkspaceId;
  const target = { workspaceId, batchId: batch?.id };
  const { quotas, intake, resources } = context;
  const announced = isMultipart(req) ? 1 : Number(req.get('Content-Length') ?? 1);
  const room = await quotas.assertRoom(workspaceId, Math.max(1, announced));
  const maxBytes = Math.min(intake.maxBytes, room ?? intake.maxBytes);
  const limited = overlay(intake, { maxBytes });
  try {
    const uploaded = await upload(resources, limited, { ...file, ...target });
    if (uploaded.outcome === 'added') quotas.spend(workspaceId, uploaded.bytes);
    return uploadedJson(uploaded);
  } catch (error) {
    const isOverQuota = error instanceof TooLargeError && room !== undefined && maxBytes === room;
    throw isOverQuota ? quotaExceeded() : error;
  }
}

function uploadedJson({ documentId: id, ...uploaded }: Uploaded) {
  return { id, ...uploaded, href: documentHref(id) };
}

function failure(name: string, error: unknown) {
  return { name, ...toProblem(error).problem };
}
