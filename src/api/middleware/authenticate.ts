import type { Request, RequestHandler } from 'express';
import { type Caller, callerFinder, type FoundCaller, type Role } from '../../db/api-keys.ts';
import type { Db } from '../../db/index.ts';
import { callerOfSession } from '../../db/sessions.ts';
import { isInScope, type Resource, type Scope } from '../../domain/scope.ts';
import type { ApiContext } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { csrfIn, isCsrf, isSameOrigin, readSessionCookie } from '../session.ts';

export type Access = 'open' | Role;

const ranks = { user: 0, operator: 1, admin: 2 } satisfies Record<Role, number>;

const callers = new WeakMap<Request, Caller>();

/** The caller of an authenticated request. */
export function requireCaller(req: Request): Caller {
  const caller = callers.get(req);
  if (!caller) throw new Error(`${req.method} ${req.path} is mounted without authentication`);
  return caller;
}

/**
 * Requires a key or session with at least this role, and a scope that covers the resource. Browsers
 * without one are sent to /login.
 */
export function authenticate(
  { resources: { database } }: ApiContext,
  least: Role,
  resourceOf: (path: string) => Resource,
): RequestHandler {
  const findCaller = callerFinder(database.db);
  return async (req, res, next) => {
    const key = bearer(req);
    const caller = await (key === undefined ? callerOfCookie(database.db, req) : findCaller(key));
    if (!caller && opensPage(req)) {
      return res.redirect(303, `/login?next=${encodeURIComponent(req.originalUrl)}`);
    }
    if (caller === 'expired') throw expiredError();
    if (!caller) throw unauthorized(req.headers.authorization === undefined);
    if (ranks[caller.role] < ranks[least]) {
      throw new HttpError(`This requires a key with the role ${least} or higher.`, {
        status: 403,
        code: 'FORBIDDEN',
      });
    }
    assertScope(caller, `${resourceOf(req.path)}:${isSafe(req) ? 'read' : 'write'}`);
    callers.set(req, caller);
    next();
  };
}

function assertScope({ scopes }: Caller, wanted: Scope): void {
  if (isInScope(scopes, wanted)) return;
  throw new HttpError(`The key does not have the scope ${wanted}.`, {
    status: 403,
    code: 'SCOPE_MISSING',
    hint: `It has: ${scopes?.join(', ')}. An administrator can create another key.`,
  });
}

async function callerOfCookie(db: Db, req: Request): Promise<FoundCaller> {
  const token = readSessionCookie(req);
  if (token === undefined) return undefined;
  const caller = await callerOfSession(db, token);
  // Browsers also send cookies with requests that another site triggers.
  if (caller && !isSafe(req) && !(isSameOrigin(req) && isCsrf(token, csrfIn(req)))) {
    throw new HttpError('Changes made with a session require the header X-CSRF-Token.', {
      status: 403,
      code: 'CSRF',
    });
  }
  return caller;
}

export function isSafe({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function opensPage(req: Request): boolean {
  return isSafe(req) && (req.headers.accept ?? '').includes('text/html');
}

function bearer({ headers: { authorization = '' } }: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

function expiredError(): HttpError {
  return new HttpError('The API key has expired.', {
    status: 401,
    code: 'KEY_EXPIRED',
    hint: 'An administrator can create a new one: millrace key create.',
    headers: { 'WWW-Authenticate': 'Bearer realm="millrace", error="invalid_token"' },
  });
}

function unauthorized(absent: boolean): HttpError {
  return new HttpError(absent ? 'An API key is required.' : 'The API key is not valid.', {
    status: 401,
    code: 'UNAUTHORIZED',
    hint: 'Send it as "Authorization: Bearer mr_…"; in a browser, log in at /login.',
    headers: { 'WWW-Authenticate': 'Bearer realm="millrace"' },
  });
}
