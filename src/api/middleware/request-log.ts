import type { Request, RequestHandler, Response } from 'express';
import { newId } from '../../lib/ids.ts';
import { monotonicNow } from '../../lib/time.ts';
import type { Log } from '../../observability/logger.ts';

const header = 'X-Request-Id';

/** Gives every request an id of ours and writes one line when it is over: no bodies, no keys, no query. */
export function requestLog(log: Log): RequestHandler {
  return (req, res, next) => {
    const startedAt = monotonicNow();
    res.set(header, newId());
    res.once('close', () => {
      const ms = Math.round(monotonicNow() - startedAt);
      const facts = {
        requestId: readRequestId(res),
        method: req.method,
        route: routePattern(req),
        status: res.statusCode,
        ms,
      };
      log.debug(facts, res.writableFinished ? 'request' : 'request cut off');
    });
    next();
  };
}

export function readRequestId(res: Response): string {
  return String(res.get(header));
}

/** The pattern and not the path: paths hold ids and whatever strangers type. */
export function routePattern({ baseUrl, route }: Request): string {
  const pattern: unknown = route?.path;
  return typeof pattern === 'string' ? baseUrl + pattern : 'none';
}
