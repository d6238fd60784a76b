import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { NotFoundError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { SECOND } from '../../lib/time.ts';
import type { Log } from '../../observability/logger.ts';
import { toProblem } from '../problem-json.ts';
import { readRequestId } from './request-log.ts';

/** How long a caller may go on sending after it was refused, so that it gets to read why. */
const lingerMs = 5 * SECOND;

export const unknownRoute: RequestHandler = (req) => {
  throw new NotFoundError(`There is no ${req.method} ${req.path}`);
};

/** Every error leaves as problem+json. What callers must not see is logged under an id that they get. */
export function errors(log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const { problem, headers, internal } = toProblem(error);
    const requestId = readRequestId(res);
    if (req.destroyed && !req.complete)
      log.debug({ requestId, reason: describeError(error) }, 'the caller went away');
    else if (internal)
      log.error(
        { requestId, reason: describeError(error), stack: framesOf(error) },
        'request failed',
      );
    if (res.headersSent) return void res.destroy();
    hangUpLater(req, res);
    const body = JSON.stringify({ ...problem, requestId });
    res.status(problem.status).set(headers).type('application/problem+json').send(body);
  };
}

/** A message may hold values of a query; where it happened does not. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
}

/** Closing at once would reset the connection before the caller has read the answer; never closing would let it send on. */
function hangUpLater(req: Request, res: Response): void {
  res.once('finish', () => {
    if (req.complete || req.destroyed) return;
    req.resume();
    const timer = setTimeout(() => req.socket.destroy(), lingerMs);
    for (const over of ['end', 'close']) req.once(over, () => clearTimeout(timer));
  });
}
