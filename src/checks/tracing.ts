import { SetupError } from '../errors.ts';
import { parseHeaders, tracesUrl } from '../observability/tracing/open.ts';
import type { Finding } from './check.ts';
import { reachUrl } from './reach.ts';

/** Sends no spans to the collector, which it must take. */
export async function examineCollector(endpoint: string, headers = ''): Promise<Finding> {
  const fix =
    'Check OTEL_EXPORTER_OTLP_ENDPOINT: the base URL of an OTLP/HTTP receiver, usually on port 4318.';
  const answer = await reachUrl(
    tracesUrl(endpoint),
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...parseHeaders(headers) },
      body: '{"resourceSpans":[]}',
    },
    fix,
  );
  if (!answer.ok) throw new SetupError(`The collector answers ${answer.status}.`, fix);
  return { found: `${new URL(endpoint).host} takes traces` };
}
