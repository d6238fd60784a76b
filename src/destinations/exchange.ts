import { z } from 'zod';
import { PermanentError } from '../errors.ts';
import { printable } from '../lib/printable.ts';
import { DAY } from '../lib/time.ts';
import type { OutgoingResponse } from '../outgoing/index.ts';
import { OutgoingError } from '../outgoing/outgoing-error.ts';
import { retryAfterMs } from '../providers/retry-after.ts';
import type { HandoverAnswer } from './port.ts';

/** Upper limit for the delay that a document manager may request. */
export const longestRestMs = 30 * DAY;

const busy = [429, 502, 503, 504];
const refusals = [400, 406, 411, 413, 415, 422];

/**
 * Interprets a response by its status alone; undefined if the body decides. Throws if the status
 * is not about the document: bad credentials, a redirect, a server error.
 */
export function answerByStatus(
  response: OutgoingResponse,
  host: string,
): HandoverAnswer | undefined {
  const { status, header } = response;
  if (busy.includes(status)) {
    const ms = retryAfterMs(header, Date.now(), longestRestMs);
    return { kind: 'try-later', ms, reason: `${host} is busy (${status})` };
  }
  if (refusals.includes(status))
    return { kind: 'rejected', reason: `${host} answered ${status}${reasonSuffix(response)}` };
  if (status === 401 || status === 403)
    throw unusable(`${host} rejected our credentials (${status})`);
  if (status >= 300 && status < 400)
    throw unusable(`${host} answered with a redirect (${status}); redirects are not followed`);
  if (status >= 500) throw new OutgoingError('BAD_ANSWER', `${host} failed (${status})`);
  return undefined;
}

/** Parses the body; throws if it does not match the schema. */
export function parseBody<T extends z.ZodType>(
  response: OutgoingResponse,
  schema: T,
  host: string,
): z.infer<T> {
  const { data, success } = schema.safeParse(parseJson(response));
  if (success) return data;
  throw new OutgoingError(
    'BAD_ANSWER',
    `${host} answered ${response.status} with an unexpected body`,
  );
}

function unusable(message: string): PermanentError {
  return new PermanentError('DESTINATION_UNUSABLE', message);
}

/** Text from another system, shortened and reduced to printable characters. */
export function quoted(text: string): string {
  return printable(text).replace(/\s+/g, ' ').slice(0, 200);
}

const errorBody = z
  .object({ reason: z.string() })
  .or(z.object({ detail: z.string() }).transform(({ detail }) => ({ reason: detail })));

function reasonSuffix(response: OutgoingResponse): string {
  const { data } = errorBody.safeParse(parseJson(response));
  return data ? `: ${quoted(data.reason)}` : '';
}

function parseJson({ body }: OutgoingResponse): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
