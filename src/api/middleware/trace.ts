import { SpanKind } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import { annotate } from '../../observability/tracing/context.ts';
import type { Tracing } from '../../observability/tracing/index.ts';
import { routePattern } from './request-log.ts';

/** Asked for every few seconds by machines: nobody looks for these. */
const quiet = new Set(['/livez', '/readyz', '/metrics']);

/** A request as a span, part of the caller's trace where it sends `traceparent`. */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    if (quiet.has(req.path)) return next();
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
        statusCode >= 500 ? `The answer was ${statusCode}` : undefined,
      );
    });
  };
}
