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
/** Newer versions answer in pages. */
const tasks = z.union([
  z.array(task),
  z.object({ results: z.array(task) }).transform(({ results }) => results),
]);

const askInMs = 5 * SECOND;
const pending = ['PENDING', 'STARTED', 'RECEIVED', 'RETRY'];

/** paperless-ngx by its REST API: it takes a file at once and consumes it later, in a task that can be asked about. */
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
      // Which of the two it keeps depends on its version.
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
          ([first]) => (first ? fate(first, reference, host) : { kind: 'not-managed' }),
        ),
      async test(signal) {
        await ask({ method: 'GET', path: '/api/documents/?page_size=1', signal }, found, managed);
        return `${host} answers as paperless-ngx, and accepts the token`;
      },
      close: async () => undefined,
    };
  },
});

function managed({ results: [first] }: z.infer<typeof found>): HandoverAnswer {
  return first ? { kind: 'managed', externalId: String(first.id) } : { kind: 'not-managed' };
}

/** What became of the task that consumes a document. That it is a duplicate means that it is there. */
function fate(
  { status, result, related_document }: z.infer<typeof task>,
  reference: string,
  host: string,
): HandoverAnswer {
  const state = status.toUpperCase();
  const words = result ?? '';
  const known = /duplicate of .*\(#(\d+)\)/.exec(words)?.[1] ?? related_document ?? undefined;
  if (pending.includes(state)) return { kind: 'submitted', reference, askInMs };
  if (state === 'SUCCESS' || (state === 'FAILURE' && /duplicate/i.test(words)))
    return { kind: 'managed', externalId: known === undefined ? undefined : String(known) };
  if (state === 'REVOKED') return { kind: 'not-managed' };
  if (state === 'FAILURE')
    return { kind: 'rejected', reason: quoted(words) || `${host} gave no reason` };
  throw new OutgoingError(
    'BAD_ANSWER',
    `${host} told of a status that is not known: ${quoted(status)}`,
  );
}
