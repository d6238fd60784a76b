import type { Request } from 'express';
import type { z } from 'zod';
import { NotFoundError, UsageError } from '../errors.ts';
import { isId } from '../lib/ids.ts';
import { describeIssue, describeIssues } from '../lib/issue-text.ts';
import { HttpError } from './http-error.ts';

/** Validates caller input, or throws a 400. A ZodError from anywhere else is a bug: a 500. */
export function parse<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  const issues = error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: describeIssue(issue),
  }));
  const detail = `${describeIssues(error.issues, 'The request')}.`;
  throw new HttpError(detail, { status: 400, code: 'BAD_REQUEST', details: { issues } });
}

/** The id in the path. A malformed id is a 404, like an unknown one. */
export function parseId({ params: { id } }: Request): string {
  if (typeof id !== 'string' || !isId(id))
    throw new NotFoundError(`There is no resource with the id ${String(id)}`);
  return id.toLowerCase();
}

/** The key under which the caller may safely repeat a request. */
export function readIdempotencyKey(req: Request): string | undefined {
  const key = req.get('Idempotency-Key');
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new UsageError(
    'The Idempotency-Key is not valid.',
    'Use 1 to 200 printable characters without spaces.',
  );
}
