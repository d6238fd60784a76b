import type { Request } from 'express';
import { NotFoundError } from '../errors.ts';
import { HttpError } from './http-error.ts';
import { requireCaller } from './middleware/authenticate.ts';

/** Returns the named workspace. A caller bound to a workspace gets a 404 for any other. */
export function visibleWorkspace(req: Request, named: string): string {
  const { workspaceId } = requireCaller(req);
  if (workspaceId !== undefined && workspaceId !== named)
    throw new NotFoundError(`There is no workspace ${named}`);
  return named;
}

/** The workspace for new resources: the named one, else the caller's own, else the default. */
export function targetWorkspace(
  req: Request,
  named: string | undefined,
  defaultWorkspaceId: string,
): string {
  return visibleWorkspace(req, named ?? requireCaller(req).workspaceId ?? defaultWorkspaceId);
}

/** Guards actions that affect all workspaces. */
export function assertUnbound(req: Request): void {
  if (requireCaller(req).workspaceId === undefined) return;
  throw new HttpError('This requires a key that is not bound to a workspace.', {
    status: 403,
    code: 'FORBIDDEN',
  });
}
