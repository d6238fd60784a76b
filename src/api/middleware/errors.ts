import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { NotFoundError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { SECOND } from '../../lib/time.ts';
import type { Log } from '../../observability/logger.ts';
import { toProblem } from '../problem-json.ts';
import { readRequestId } from './request-log.ts';

/** How long a rejected caller may keep sending, so that it can read the response. */
const lingerMs = 5 * SECOND;

export const unknownRoute: RequestHandler = (req) => {
  throw new NotFoundError(`There is no route ${req.method} ${req.path}`);
};

/** Sends errors as problem+json. Internal details are only logged, under the request id. */
export function errors(log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const { problem, headers, internal } = toProblem(error);
    const requestId = readRequestId(res);
    if (req.destroyed && !req.complete)
      log.debug({ requestId, reason: describeError(error) }, 'client disconnected');
    else if (internal)
      log.error(
        { requestId, reason: describeError(error), stack: framesOf(error) },
        'request failed',
      );
    if (res.headersSent) return void res.destroy();
    closeLater(req, res);
    const body = JSON.stringify({ ...problem, requestId });
    res.status(problem.status).set(headers).type('application/problem+json').send(body);
  };
}

/** The stack without its first line: the message may contain query values. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
}

/**
 * Closing at once would reset the connection before the caller has read the response. Never closing
 * would let it keep sending.
 */
function closeLater(req: Request, res: Response): void {
  res.once('finish', () => {
    if (req.complete || req.destroyed) return;
    req.resume();
    const timer = setTimeout(() => req.socket.destroy(), lingerMs);
    for (const event of ['end', 'close']) req.once(event, () => clearTimeout(timer));
  });
}
