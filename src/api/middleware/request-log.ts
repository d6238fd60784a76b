import { SpanKind } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import { newId } from '../../lib/ids.ts';
import { monotonicNow } from '../../lib/time.ts';
import type { Log } from '../../observability/logger.ts';
import { annotate, type Tracing } from '../../observability/tracing/index.ts';

const header = 'X-Request-Id';

/** Assigns a request id and logs one line per request, without bodies, keys or query strings. */
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
      log.debug(facts, res.writableFinished ? 'request' : 'request aborted');
    });
    next();
  };
}

export function readRequestId(res: Response): string {
  return String(res.get(header));
}

/** The route pattern, because paths contain ids and arbitrary caller input. */
export function routePattern({ baseUrl, route }: Request): string {
  const pattern: unknown = route?.path;
  return typeof pattern === 'string' ? baseUrl + pattern : 'none';
}

/** Polled every few seconds; tracing them would only add noise. */
const untracedPaths = new Set(['/livez', '/readyz', '/metrics']);

/** Records each request as a span, in the caller's trace if it sends `traceparent`. */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    if (untracedPaths.has(req.path)) return next();
    const attributes = { 'http.request.method': req.method };
    const options = { kind: SpanKind.SERVER, parent: req.get('traceparent'), attributes };
    void tracing.span(`HTTP ${req.method}`, options, async () => {
      const closed = new Promise<void>((resolve) => {
        res.once('close', resolve);
      });
      next();
      await closed;
      const { statusCode } = res;
      annotate(
        { 'http.route': routePattern(req), 'http.response.status_code': statusCode },
        statusCode >= 500 ? `Response status ${statusCode}` : undefined,
      );
    });
  };
}
