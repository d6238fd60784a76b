import { z } from 'zod';
import { MINUTE, SECOND } from '../lib/time.ts';
import type { OutgoingRequest } from '../outgoing/index.ts';
import { OutgoingError } from '../outgoing/outgoing-error.ts';
import { answerByStatus, parseBody, quoted } from './exchange.ts';
import { multipart } from './multipart.ts';
import { defineKind, type HandoverAnswer } from './port.ts';

const found = z.object({ count: z.int(), results: z.array(z.object({ id: z.int() })) });
const taskId = z.uuid();
const task = z.object({
  status: z.string(),
  result: z.string().nullish(),
  related_document: z.union([z.string(), z.int()]).nullish(),
});
/** Newer versions return a page object instead of an array. */
const tasks = z.union([
  z.array(task),
  z.object({ results: z.array(task) }).transform(({ results }) => results),
]);

const askInMs = 5 * SECOND;
const pending = ['PENDING', 'STARTED', 'RECEIVED', 'RETRY'];

/** paperless-ngx over its REST API. It accepts a file at once and consumes it later, in a task. */
export const paperlessNgx = defineKind({
  settings: z.strictObject({ url: z.url() }),
  secret: z.strictObject({ token: z.string().min(1) }),
  open({ url }, { token }, outgoing) {
    const { host } = outgoing.check(url);
    const base = url.replace(/\/$/, '');
    const headers = { authorization: `Token ${token}`, accept: 'application/json' };
    const ask = async <T extends z.ZodType>(
      request: Omit<OutgoingRequest, 'url'> & { path: string },
      schema: T,
      answer: (body: z.infer<T>) => HandoverAnswer,
    ): Promise<HandoverAnswer> => {
      const { path, ...rest } = request;
      const asked = { ...rest, url: `${base}${path}`, headers: { ...headers, ...request.headers } };
      const response = await outgoing.send(asked);
      return answerByStatus(response, host) ?? answer(parseBody(response, schema, host));
    };
    const withChecksum = (checksum: string, signal: AbortSignal) =>
      ask(
        { method: 'GET', path: `/api/documents/?checksum__iexact=${checksum}&page_size=1`, signal },
        found,
        managed,
      );
    return {
      // Depending on its version it stores MD5 or SHA-256 checksums.
      async lookUp({ md5, sha256 }, signal) {
        const answer = await withChecksum(md5, signal);
        return answer.kind === 'not-managed' ? withChecksum(sha256, signal) : answer;
      },
      async submit(handover, signal) {
        const form = await multipart(handover, 'document', {
          title: handover.name.replace(/\.[^.]*$/, ''),
        });
        const request = {
          method: 'POST',
          path: '/api/documents/post_document/',
          ...form,
          signal,
          timeoutMs: 5 * MINUTE,
        } as const;
        return ask(request, taskId, (reference) => ({ kind: 'submitted', reference, askInMs }));
      },
      query: (reference, _, signal) =>
        ask(
          { method: 'GET', path: `/api/tasks/?task_id=${encodeURIComponent(reference)}`, signal },
          tasks,
          ([first]) => (first ? taskResult(first, reference, host) : { kind: 'not-managed' }),
        ),
      async test(signal) {
        await ask({ method: 'GET', path: '/api/documents/?page_size=1', signal }, found, managed);
        return `${host} responds as paperless-ngx and accepts the token`;
      },
      close: async () => undefined,
    };
  },
});

function managed({ results: [first] }: z.infer<typeof found>): HandoverAnswer {
  return first ? { kind: 'managed', externalId: String(first.id) } : { kind: 'not-managed' };
}

/** Result of the task that consumes a document. A duplicate means that the document is there. */
function taskResult(
  { status, result, related_document }: z.infer<typeof task>,
  reference: string,
  host: string,
): HandoverAnswer {
  const state = status.toUpperCase();
  const message = result ?? '';
  const existingId =
    /duplicate of .*\(#(\d+)\)/.exec(message)?.[1] ?? related_document ?? undefined;
  if (pending.includes(state)) return { kind: 'submitted', reference, askInMs };
  if (state === 'SUCCESS' || (state === 'FAILURE' && /duplicate/i.test(message)))
    return {
      kind: 'managed',
      externalId: existingId === undefined ? undefined : String(existingId),
    };
  if (state === 'REVOKED') return { kind: 'not-managed' };
  if (state === 'FAILURE')
    return { kind: 'rejected', reason: quoted(message) || `${host} gave no reason` };
  throw new OutgoingError(
    'BAD_ANSWER',
    `${host} answered with an unknown task status: ${quoted(status)}`,
  );
}
