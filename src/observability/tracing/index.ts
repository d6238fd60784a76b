import { type Attributes, type SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { describeError } from '../../lib/describe-error.ts';
import { activeSpan, parseTraceContext } from './context.ts';

export interface SpanOptions {
  kind: SpanKind;
  /** The W3C traceparent of the parent span, if it is not the active span. */
  parent?: string | null | undefined;
  attributes?: Attributes | undefined;
}

export interface Tracing {
  /** Runs work inside a span. Spans started meanwhile become its children. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
}

/** Tracing is off: no spans are recorded. */
export const noTracing: Tracing = { span: (_name, _options, work) => work() };

export function tracingWith(tracer: Tracer): Tracing {
  return {
    async span(name, { kind, parent, attributes = {} }, work) {
      const span = tracer.startSpan(name, { kind, attributes }, parseTraceContext(parent));
      try {
        return await activeSpan.run(span, work);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: describeError(error) });
        throw error;
      } finally {
        span.end();
      }
    },
  };
}
