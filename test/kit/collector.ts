import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const id = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`));
const attribute = z.strictObject({
  key: z.string(),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.int() }),
  ]),
});
const nanoseconds = z.string().regex(/^\d{19}$/);
const span = z.looseObject({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  name: z.string(),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes: z.array(attribute),
  status: z.looseObject({ code: z.int(), message: z.string().optional() }),
});
const body = z.strictObject({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.looseObject({ scope: z.looseObject({ name: z.string() }), spans: z.array(span) }),
      ),
    }),
  ),
});

export interface CollectedSpan extends Omit<z.infer<typeof span>, 'attributes'> {
  attributes: Record<string, string | number>;
}

/** An OTLP/HTTP collector that accepts only traces in JSON. */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const services = new Set<string | number>();
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer(async (req, res) => {
    headers.push(req.headers);
    const fits =
      req.method === 'POST' &&
      req.url === '/v1/traces' &&
      req.headers['content-type'] === 'application/json';
    const sent = fits ? body.safeParse(await json(req)) : undefined;
    res.setHeader('content-type', 'application/json');
    if (!sent?.success) return res.writeHead(400).end('{}');
    for (const { resource, scopeSpans } of sent.data.resourceSpans) {
      services.add(valuesOf(resource.attributes)['service.name'] ?? '');
      for (const each of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...each, attributes: valuesOf(each.attributes) });
    }
    return res.writeHead(200).end('{"partialSuccess":{}}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    spans,
    services,
    headers,
    named: (name: string) => spans.filter((each) => each.name === name),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function valuesOf(attributes: z.infer<typeof attribute>[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      'stringValue' in value ? value.stringValue : value.intValue,
    ]),
  );
}
