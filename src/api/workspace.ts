import type { Request } from 'express';
import { NotFoundError } from '../errors.ts';
import { callerOf } from './middleware/authenticate.ts';

/** The workspace a request is about: the caller's own; one who is bound to none may name any. */
export function workspaceOf(req: Request, named: string | undefined): string | undefined {
  const { workspaceId } = callerOf(req);
  if (workspaceId !== undefined && named !== undefined && named !== workspaceId)
    throw new NotFoundError(`There is no workspace ${named}`);
  return workspaceId ?? named;
}
