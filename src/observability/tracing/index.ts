import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { describeError } from '../../lib/describe-error.ts';

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

/** The span of the current async context. */
export const activeSpan = new AsyncLocalStorage<Span>();

/** Adds attributes to the active span; does nothing without one. */
export function annotate(attributes: Attributes, problem?: string): void {
  const span = activeSpan.getStore();
  span?.setAttributes(attributes);
  if (problem !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR, message: problem });
}

/** Runs work outside the active span. */
export function apart<T>(work: () => T): T {
  return activeSpan.exit(work);
}

/** The active span as a W3C traceparent, to be stored for later stages. */
export function currentTraceparent(): string | undefined {
  const context = activeSpan.getStore()?.spanContext();
  if (!context || !isSpanContextValid(context)) return undefined;
  const { traceId, spanId, traceFlags } = context;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** W3C traceparent: later versions may append members, and version ff is invalid. */
const format = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The parent of a new span: the given traceparent, else the active span, else none. */
export function parseTraceContext(parent: string | null | undefined): Context {
  const [, traceId, spanId, flags] = format.exec(parent ?? '') ?? [];
  if (traceId && spanId && flags) {
    const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
    if (isSpanContextValid(remote)) return trace.setSpanContext(ROOT_CONTEXT, remote);
  }
  const active = activeSpan.getStore();
  return active ? trace.setSpan(ROOT_CONTEXT, active) : ROOT_CONTEXT;
}
