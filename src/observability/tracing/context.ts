import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** The span inside which something runs. */
export const activeSpan = new AsyncLocalStorage<Span>();

/** What is known of the work only at its end; no matter if nobody traces it. */
export function annotate(attributes: Attributes, problem?: string): void {
  const span = activeSpan.getStore();
  span?.setAttributes(attributes);
  if (problem !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR, message: problem });
}

/** Does work that is no part of what runs around it. */
export function apart<T>(work: () => T): T {
  return activeSpan.exit(work);
}

/** Where we are in a trace, to be written down for those who go on with it. */
export function currentTraceparent(): string | undefined {
  const context = activeSpan.getStore()?.spanContext();
  if (!context || !isSpanContextValid(context)) return undefined;
  const { traceId, spanId, traceFlags } = context;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Versions to come may add members at the end; ff is never one. */
const format = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** What a new span belongs to: what was written down, else what runs around it, else nothing. */
export function parseTraceContext(parent: string | null | undefined): Context {
  const [, traceId, spanId, flags] = format.exec(parent ?? '') ?? [];
  if (traceId && spanId && flags) {
    const written = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
    if (isSpanContextValid(written)) return trace.setSpanContext(ROOT_CONTEXT, written);
  }
  const around = activeSpan.getStore();
  return around ? trace.setSpan(ROOT_CONTEXT, around) : ROOT_CONTEXT;
}
