import { SetupError } from '../errors.ts';
import { parseHeaders, tracesUrl } from '../observability/tracing/open.ts';
import type { Finding } from './check.ts';
import { reachUrl } from './reach.ts';

/** Sends an empty list of spans, which every collector accepts. */
export async function examineCollector(endpoint: string, headers = ''): Promise<Finding> {
  const fix =
    'Check OTEL_EXPORTER_OTLP_ENDPOINT: the base URL of an OTLP/HTTP receiver, usually on port 4318.';
  const response = await reachUrl(
    tracesUrl(endpoint),
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...parseHeaders(headers) },
      body: '{"resourceSpans":[]}',
    },
    fix,
  );
  if (!response.ok) throw new SetupError(`The collector answered ${response.status}.`, fix);
  return { found: `${new URL(endpoint).host} accepts traces` };
}
