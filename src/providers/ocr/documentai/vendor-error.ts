import { z } from 'zod';
import { type StatusName, statusName } from './status.ts';

/** An error of the vendor, whichever way it came. */
export interface VendorError {
  status: StatusName;
  message: string;
  header(name: string): string | undefined;
}

/** Undefined for an error that is not the vendor's. */
export function readVendorError(error: unknown): VendorError | undefined {
  const seen = raised.safeParse(error);
  if (!seen.success) return undefined;
  const { code, metadata, response } = seen.data;
  const body = restBody(seen.data.message);
  const message = body?.message ?? (seen.data.details || seen.data.message);
  return {
    status: statusName(code),
    message: message.replace(/\s+/g, ' ').trim().slice(0, 500),
    header: (name) =>
      headerIn(metadata, name) ??
      headerIn(response?.headers, name) ??
      (name === 'retry-after' ? retryDelay(body?.details ?? seen.data.statusDetails) : undefined),
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
const raised = z.object({
  code: z.number(),
  message: z.string().catch(''),
  details: z.string().optional().catch(undefined),
  statusDetails: list,
  metadata: headers.optional().catch(undefined),
  response: z.object({ headers }).optional().catch(undefined),
});

/** gRPC has lists of values, HTTP one. */
function headerIn(
  from: { get(key: string): unknown } | undefined,
  name: string,
): string | undefined {
  const value = from?.get(name);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === null ? undefined : String(first);
}

const rest = z.object({ error: z.object({ message: z.string(), details: list }) });

/** Over REST the message is the body. */
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

/** Google says how long to wait in a `RetryInfo` detail rather than in a header. */
function retryDelay(details: unknown[] = []): string | undefined {
  return details
    .map((detail) => retryInfo.safeParse(detail).data?.retryDelay)
    .find((delay) => delay !== undefined);
}
