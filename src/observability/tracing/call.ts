import { SpanKind } from '@opentelemetry/api';
import { annotate, type Tracing } from './index.ts';

export interface Call {
  method: string;
  /** Includes the port unless it is the default. */
  host: string;
  /** The W3C traceparent of the parent span, if it is not the active span. */
  parent?: string | null | undefined;
}

export type TraceCall = <Answer extends { status: number }>(
  call: Call,
  make: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * Records a call to another system as a span. Paths, headers and bodies are left out: they may hold
 * secrets or document content.
 */
export function callTracer(tracing: Tracing): TraceCall {
  return ({ method, host, parent }, make) => {
    const [address = '', port] = host.split(/:(?=\d+$)/);
    const attributes = {
      'http.request.method': method,
      'server.address': address,
      ...(port && { 'server.port': Number(port) }),
    };
    return tracing.span(
      `${method} ${host}`,
      { kind: SpanKind.CLIENT, parent, attributes },
      async () => {
        const answer = await make();
        const { status } = answer;
        annotate(
          { 'http.response.status_code': status },
          status >= 400 ? `HTTP status ${status}` : undefined,
        );
        return answer;
      },
    );
  };
}
