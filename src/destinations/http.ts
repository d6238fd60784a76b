import { z } from 'zod';
import { MINUTE, SECOND } from '../lib/time.ts';
import type { Outgoing, OutgoingRequest, OutgoingResponse } from '../outgoing/index.ts';
import { OutgoingError } from '../outgoing/outgoing-error.ts';
import { answerByStatus, longestRestMs, parseBody, quoted } from './exchange.ts';
import { multipart } from './multipart.ts';
import { defineKind, type HandoverAnswer } from './port.ts';

/** Response body of every endpoint in the contract. See docs/destinations.md. */
const reply = z.object({
  status: z.enum(['managed', 'submitted', 'not_managed', 'rejected', 'try_again_later']),
  id: z.string().max(500).optional(),
  reference: z.string().max(500).optional(),
  reason: z.string().optional(),
  /** Earliest time for the next request. */
  retryAt: z.iso.datetime({ offset: true }).optional(),
});

const askInMs = 5 * SECOND;

/** Any document manager that implements our small HTTP contract: look up, submit, query. */
export const http = defineKind({
  settings: z.strictObject({ url: z.url() }),
  secret: z.strictObject({ token: z.string().min(1) }).optional(),
  open({ url }, secret, outgoing) {
    const { host } = outgoing.check(url);
    const base = url.replace(/\/$/, '');
    const headers = secret ? { authorization: `Bearer ${secret.token}` } : {};
    const ask = async (request: OutgoingRequest): Promise<HandoverAnswer> =>
      answerOf(
        await outgoing.send({ ...request, headers: { ...headers, ...request.headers } }),
        host,
      );
    return {
      lookUp: ({ sha256, key }, signal) =>
        ask({
          method: 'GET',
          url: `${base}/documents?${new URLSearchParams({ sha256, key })}`,
          signal,
        }),
      async submit(handover, signal) {
        const metadata = JSON.stringify({ ...handover.result, key: handover.key });
        const form = await multipart(handover, 'file', { metadata });
        const extra = { ...form.headers, 'idempotency-key': handover.key };
        const request = {
          method: 'POST',
          url: `${base}/documents`,
          headers: extra,
          body: form.body,
        } as const;
        return ask({ ...request, signal, timeoutMs: 5 * MINUTE });
      },
      query: (reference, _, signal) =>
        ask({ method: 'GET', url: `${base}/submissions/${encodeURIComponent(reference)}`, signal }),
      test: (signal) =>
        test(outgoing, { method: 'GET', url: `${base}/documents?${probe}`, headers, signal }, host),
      close: async () => undefined,
    };
  },
});

/** A hash that no document can have. */
const probe = new URLSearchParams({ sha256: '0'.repeat(64), key: 'test' });

async function test(outgoing: Outgoing, request: OutgoingRequest, host: string): Promise<string> {
  const { kind } = answerOf(await outgoing.send(request), host);
  return kind === 'not-managed'
    ? `${host} responds as expected`
    : `${host} answered "${kind}" for a document that does not exist`;
}

function answerOf(response: OutgoingResponse, host: string): HandoverAnswer {
  const { status: code } = response;
  if (code === 404) return { kind: 'not-managed' };
  const known = code === 409 ? undefined : answerByStatus(response, host);
  if (known) return known;
  const { status, id, reference, reason = '', retryAt } = parseBody(response, reply, host);
  const waitMs = retryAt
    ? Math.min(Math.max(0, Date.parse(retryAt) - Date.now()), longestRestMs)
    : undefined;
  switch (status) {
    case 'managed':
      return { kind: 'managed', externalId: id };
    case 'submitted':
      if (reference === undefined)
        throw new OutgoingError('BAD_ANSWER', `${host} accepted the document without a reference`);
      return { kind: 'submitted', reference, askInMs: waitMs ?? askInMs };
    case 'not_managed':
      return { kind: 'not-managed' };
    case 'rejected':
      return { kind: 'rejected', reason: quoted(reason) || `${host} gave no reason` };
    case 'try_again_later':
      return {
        kind: 'try-later',
        ms: waitMs ?? MINUTE,
        reason: quoted(reason) || `${host} is busy`,
      };
    default:
      return status satisfies never;
  }
}
