import type { DocumentView } from '../db/documents.ts';
import { NotFoundError } from '../errors.ts';
import { HttpError } from './http-error.ts';

/** While a document is in progress, missing content may still appear: a 409, not a 404. */
export function contentAbsent(view: DocumentView, what: string): Error {
  return view.status === 'in-progress'
    ? notReady(view)
    : new NotFoundError(`The document has no ${what}.`);
}

export function notReady({ id }: DocumentView): HttpError {
  return new HttpError('The document is still being processed.', {
    status: 409,
    code: 'IN_PROGRESS',
    retryable: true,
    hint: `Retry later. GET /v1/documents/${id} shows the progress.`,
    headers: { 'Retry-After': '1' },
  });
}
