import { z } from 'zod';
import { type StatusName, statusName } from './status.ts';

export interface VendorError {
  status: StatusName;
  message: string;
  header(name: string): string | undefined;
}

export function readVendorError(error: unknown): VendorError | undefined {
  const parsed = clientError.safeParse(error);
  if (!parsed.success) return undefined;
  const { code, metadata, response } = parsed.data;
  const body = restBody(parsed.data.message);
  const message = body?.message ?? (parsed.data.details || parsed.data.message);
  return {
    status: statusName(code),
    message: message.replace(/\s+/g, ' ').trim().slice(0, 500),
    header: (name) =>
      headerIn(metadata, name) ??
      headerIn(response?.headers, name) ??
      (name === 'retry-after' ? retryDelay(body?.details ?? parsed.data.statusDetails) : undefined),
  };
}

const headers = z.custom<{ get(key: string): unknown }>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'get' in value &&
    typeof value.get === 'function',
);
const list = z.array(z.unknown()).optional().catch(undefined);
const clientError = z.object({
  code: z.number(),
  message: z.string().catch(''),
  details: z.string().optional().catch(undefined),
  statusDetails: list,
  metadata: headers.optional().catch(undefined),
  response: z.object({ headers }).optional().catch(undefined),
});

/** gRPC metadata holds lists of values, HTTP headers single ones. */
function headerIn(
  from: { get(key: string): unknown } | undefined,
  name: string,
): string | undefined {
  const value = from?.get(name);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === null ? undefined : String(first);
}

const rest = z.object({ error: z.object({ message: z.string(), details: list }) });

/** Over REST the message contains the response body. */
function restBody(
  message: string,
): { message: string; details?: unknown[] | undefined } | undefined {
  try {
    return rest.parse(JSON.parse(message)).error;
  } catch {
    return undefined;
  }
}

const duration = z.union([
  z
    .string()
    .regex(/^[\d.]+s$/)
    .transform((text) => text.slice(0, -1)),
  z
    .object({ seconds: z.coerce.number().nullish(), nanos: z.number().nullish() })
    .transform(({ seconds, nanos }) => String((seconds ?? 0) + (nanos ?? 0) / 1e9)),
]);
const retryInfo = z.object({ retryDelay: duration });

/** Google sends the retry delay in a `RetryInfo` detail instead of a header. */
function retryDelay(details: unknown[] = []): string | undefined {
  return details
    .map((detail) => retryInfo.safeParse(detail).data?.retryDelay)
    .find((delay) => delay !== undefined);
}
