import type { Request } from 'express';
import type { z } from 'zod';
import { NotFoundError } from '../errors.ts';
import { isId } from '../lib/ids.ts';
import { HttpError } from './http-error.ts';

/** What the caller sent, checked. A ZodError from anywhere else is our own fault and stays one. */
export function parse<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  const issues = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const detail = issues
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join('; ');
  throw new HttpError(detail, { status: 400, code: 'BAD_REQUEST', details: { issues } });
}

/** The id in the path. Text that is no id names nothing that exists. */
export function parseId({ params: { id } }: Request): string {
  if (typeof id !== 'string' || !isId(id))
    throw new NotFoundError(`There is nothing with the id ${String(id)}`);
  return id.toLowerCase();
}
