import { type Attributes, type SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { describeError } from '../../lib/describe-error.ts';
import { activeSpan, parseTraceContext } from './context.ts';

export interface SpanOptions {
  kind: SpanKind;
  /** Where it belongs, as W3C writes it, when it is no part of what runs around it. */
  parent?: string | null | undefined;
  attributes?: Attributes | undefined;
}

export interface Tracing {
  /** Does work inside a span; spans that are begun meanwhile are its children. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
}

/** Nobody looks: nothing is written down. */
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
