import type { Request, RequestHandler } from 'express';
import type { ApiContext } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { requireCaller } from './authenticate.ts';

const counted = new WeakSet<Request>();

/** Refuses requests beyond the limits of the key and of its workspace. */
export function limitRate({ counter, settings }: ApiContext): RequestHandler {
  return async (req, _res, next) => {
    // A path can be mounted twice, for routes with different roles.
    if (counted.has(req)) return next();
    counted.add(req);
    const { keyId, workspaceId, limits } = requireCaller(req);
    const most = limits.key ?? settings.requestsPerMinute;
    if (most !== undefined) await spend(`key ${keyId}`, most, 'key');
    if (limits.workspace !== null)
      await spend(`workspace ${workspaceId}`, limits.workspace, 'workspace');
    next();
  };

  async function spend(name: string, most: number, what: string): Promise<void> {
    const wait = await counter.count(`requests of ${name}`, most);
    if (wait === 0) return;
    throw new HttpError(`The ${what} has used its ${most} requests of this minute.`, {
      status: 429,
      code: 'RATE_LIMITED',
      retryable: true,
      hint: `Try again in ${wait} s.`,
      headers: { 'Retry-After': String(wait) },
    });
  }
}
