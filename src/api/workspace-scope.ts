import type { Request } from 'express';
import { NotFoundError } from '../errors.ts';
import { HttpError } from './http-error.ts';
import { requireCaller } from './middleware/authenticate.ts';

/** The workspace that a request names, if its caller may see it: one who is bound to a workspace sees no other. */
export function visibleWorkspace(req: Request, named: string): string {
  const { workspaceId } = requireCaller(req);
  if (workspaceId !== undefined && workspaceId !== named)
    throw new NotFoundError(`There is no workspace ${named}`);
  return named;
}

/** Where what the caller sends belongs: the workspace named, else the caller's own, else the default one. */
export function targetWorkspace(
  req: Request,
  named: string | undefined,
  defaultWorkspaceId: string,
): string {
  return visibleWorkspace(req, named ?? requireCaller(req).workspaceId ?? defaultWorkspaceId);
}

/** For what concerns all workspaces. */
export function assertUnbound(req: Request): void {
  if (requireCaller(req).workspaceId === undefined) return;
  throw new HttpError('This needs a key that is bound to no workspace.', {
    status: 403,
    code: 'FORBIDDEN',
  });
}
