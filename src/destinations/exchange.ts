import { z } from 'zod';
import { PermanentError } from '../errors.ts';
import { printable } from '../lib/printable.ts';
import { DAY } from '../lib/time.ts';
import type { OutgoingResponse } from '../outgoing/index.ts';
import { OutgoingError } from '../outgoing/outgoing-error.ts';
import { retryAfterMs } from '../providers/retry-after.ts';
import type { HandoverAnswer } from './port.ts';

/** A manager may ask to be left alone for so long at most; then it is asked again. */
export const longestRestMs = 30 * DAY;

const busy = [429, 502, 503, 504];
const refusals = [400, 406, 411, 413, 415, 422];

/** What an answer says by its status alone; undefined when its body is to be read. Throws what is no answer. */
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
    return { kind: 'rejected', reason: `${host} answered ${status}${wordsOf(response)}` };
  if (status === 401 || status === 403)
    throw unusable(`${host} does not accept our credentials (${status})`);
  if (status >= 300 && status < 400)
    throw unusable(`${host} answered with a redirect (${status}), which is not followed`);
  if (status >= 500) throw new OutgoingError('BAD_ANSWER', `${host} failed (${status})`);
  return undefined;
}

/** The body, if it is what was expected. */
export function parseBody<T extends z.ZodType>(
  response: OutgoingResponse,
  schema: T,
  host: string,
): z.infer<T> {
  const { data, success } = schema.safeParse(jsonOf(response));
  if (success) return data;
  throw new OutgoingError(
    'BAD_ANSWER',
    `${host} answered ${response.status} with something that was not expected`,
  );
}

function unusable(message: string): PermanentError {
  return new PermanentError('DESTINATION_UNUSABLE', message);
}

/** What strangers say is shown shortened and without anything that is not text. */
export function quoted(text: string): string {
  return printable(text).replace(/\s+/g, ' ').slice(0, 200);
}

const words = z
  .object({ reason: z.string() })
  .or(z.object({ detail: z.string() }).transform(({ detail }) => ({ reason: detail })));

function wordsOf(response: OutgoingResponse): string {
  const { data } = words.safeParse(jsonOf(response));
  return data ? `: ${quoted(data.reason)}` : '';
}

function jsonOf({ body }: OutgoingResponse): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
