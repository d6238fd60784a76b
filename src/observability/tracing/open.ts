import { atMostEvery } from '../../lib/at-most-every.ts';
import type { Closers } from '../../lib/closers.ts';
import { describeError } from '../../lib/describe-error.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Log } from '../logger.ts';
import { noTracing, type Tracing, tracingWith } from './index.ts';

export interface TracingSettings {
  /** Base URL of an OTLP/HTTP collector; nothing is traced when absent. */
  endpoint: string | undefined;
  headers: Readonly<Record<string, string>>;
  service: string;
  version: string;
  /**
   * Share of our own traces to sample, 0 to 1. Traces started by a caller follow its sampling flag.
   */
  share: number;
}

/** Longest wait for the collector at shutdown. */
const flushMs = 5 * SECOND;

/**
 * Spans are sent in the background from a bounded queue; spans the collector does not accept are
 * dropped.
 */
export async function openTracing(
  settings: TracingSettings,
  log: Log,
  closers: Closers,
): Promise<Tracing> {
  const { endpoint, headers, service, version, share } = settings;
  if (endpoint === undefined) return noTracing;
  // Loaded on demand: processes without tracing never load the SDK.
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({
    url: tracesUrl(endpoint),
    headers: { ...headers },
    timeoutMillis: flushMs,
  });
  const warn = atMostEvery(MINUTE, (reason: string) =>
    log.warn({ reason }, 'traces could not be sent; they are dropped'),
  );
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(
        {
          export: (spans, done) =>
            exporter.export(spans, (result) => {
              if (result.error) warn(describeError(result.error));
              done(result);
            }),
          shutdown: () => exporter.shutdown(),
        },
        {
          maxQueueSize: 4096,
          maxExportBatchSize: 512,
          scheduledDelayMillis: 2 * SECOND,
          exportTimeoutMillis: flushMs,
        },
      ),
    ],
  });
  closers.add(() =>
    withTimeout(flushMs, provider.shutdown()).catch((error: unknown) => warn(describeError(error))),
  );
  return tracingWith(provider.getTracer('millrace', version));
}

export function tracesUrl(endpoint: string): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/traces`;
}

/** `a=1,b=2` → `{ a: '1', b: '2' }`; values are percent-encoded. */
export function parseHeaders(text: string): Record<string, string> {
  const headers = text.matchAll(/([^=,]+)=([^,]*)/g);
  return Object.fromEntries(
    [...headers].map(([, name = '', value = '']) => [
      name.trim(),
      decodeURIComponent(value.trim()),
    ]),
  );
}
