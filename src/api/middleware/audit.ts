import type { Request, RequestHandler, Response } from 'express';
import { appendAudit, type NewAuditEntry } from '../../db/audit.ts';
import type { Db } from '../../db/index.ts';
import type { Resource } from '../../domain/scope.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { ApiContext } from '../context.ts';
import { isSafe, requireCaller } from './authenticate.ts';
import { readRequestId, routePattern } from './request-log.ts';

interface Pending {
  resource: Resource;
  res: Response;
  written: boolean;
}

const pending = new WeakMap<Request, Pending>();

/** Reading the content of a document is recorded too. */
const content = /^\/v1\/documents\/(export|:id\/(original|artifacts|text|result|pages))\b/;

/**
 * Records every change that succeeded and every read of content. A handler with a transaction
 * records it there; for the others it is written when the response is sent.
 */
export function recordRequests(
  { resources }: ApiContext,
  resourceOf: (path: string) => Resource,
): RequestHandler {
  const { database, log } = resources;
  return (req, res, next) => {
    // A path can be mounted twice, for routes with different roles.
    if (pending.has(req)) return next();
    const entry: Pending = { resource: resourceOf(req.path), res, written: false };
    pending.set(req, entry);
    res.once('finish', () => {
      const isRecorded = !isSafe(req) || content.test(routePattern(req));
      if (entry.written || !isRecorded || res.statusCode >= 400) return;
      appendAudit(database.db, toEntry(req, entry)).catch((error: unknown) =>
        log.error({ reason: describeError(error) }, 'could not write to the audit log'),
      );
    });
    next();
  };
}

export interface AuditTarget {
  id?: string;
  workspaceId?: string | null | undefined;
  /** What was changed, without secrets. */
  details?: Record<string, unknown>;
  /** Of the response that is about to be sent. */
  status?: number;
}

/** Records the request in the transaction that carries it out. */
export async function audit(tx: Db, req: Request, target: AuditTarget = {}): Promise<void> {
  const entry = pending.get(req);
  if (!entry) throw new Error(`${req.method} ${req.path} is mounted without the audit log`);
  await appendAudit(tx, toEntry(req, entry, target));
  entry.written = true;
}

function toEntry(
  req: Request,
  { resource, res }: Pending,
  { id, workspaceId, details, status }: AuditTarget = {},
): NewAuditEntry {
  const caller = requireCaller(req);
  return {
    actor: caller.keyId,
    role: caller.role,
    workspaceId: workspaceId ?? caller.workspaceId ?? null,
    action: `${req.method} ${routePattern(req)}`,
    targetKind: resource,
    targetId: id ?? targetOf(req, res),
    status: status ?? res.statusCode,
    details: details ?? null,
    address: req.ip ?? null,
    requestId: readRequestId(res),
  };
}

/** From the path, or from the Location of what was created. */
function targetOf(req: Request, res: Response): string | null {
  const [named] = Object.values(req.params);
  const created = res.get('Location')?.split('/').at(-1);
  const target = typeof named === 'string' ? named : created;
  return target?.slice(0, 200) ?? null;
}
