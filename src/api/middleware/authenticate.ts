import type { Request, RequestHandler } from 'express';
import { type Caller, findCaller, type Role } from '../../db/api-keys.ts';
import type { ApiContext } from '../context.ts';
import { HttpError } from '../http-error.ts';

export type Access = 'open' | Role;

const ranks = { user: 0, operator: 1, admin: 2 } satisfies Record<Role, number>;

const callers = new WeakMap<Request, Caller>();

/** Who sent an authenticated request. */
export function callerOf(req: Request): Caller {
  const caller = callers.get(req);
  if (!caller) throw new Error(`${req.method} ${req.path} is not behind authentication`);
  return caller;
}

/** Lets those in whose key has at least this role. Browsers cannot send a bearer key: pages for them ask for it by Basic. */
export function authenticate(
  { resources: { database } }: ApiContext,
  least: Role,
  scheme: 'Bearer' | 'Basic' = 'Bearer',
): RequestHandler {
  return async (req, _, next) => {
    const key = bearer(req) ?? (scheme === 'Basic' ? basic(req) : undefined);
    const caller = key === undefined ? undefined : await findCaller(database.db, key);
    if (!caller) throw unauthorized(key === undefined, scheme);
    if (ranks[caller.role] < ranks[least]) {
      throw new HttpError(`This needs a key with the role ${least}.`, { status: 403, code: 'FORBIDDEN' });
    }
    callers.set(req, caller);
    next();
  };
}

function bearer({ headers: { authorization = '' } }: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** The key is the password; the user name may be anything. */
function basic({ headers: { authorization = '' } }: Request): string | undefined {
  const encoded = /^Basic +(\S+) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

function unauthorized(absent: boolean, scheme: 'Bearer' | 'Basic'): HttpError {
  return new HttpError(absent ? 'An API key is needed.' : 'The API key is not valid.', {
    status: 401,
    code: 'UNAUTHORIZED',
    hint: 'Send it as "Authorization: Bearer mr_…".',
    headers: { 'WWW-Authenticate': `${scheme} realm="millrace"` },
  });
}
