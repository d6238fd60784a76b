import type { Held, ManagerStore } from './store.ts';

export type Operation = 'lookUp' | 'submit' | 'query';

export interface Asked {
  path: string;
  query: URLSearchParams;
  form(): Promise<{ name: string; bytes: Buffer; metadata: unknown }>;
}

interface Route {
  method: string;
  path: RegExp;
  operation: Operation;
  answer(
    asked: Asked,
    store: ManagerStore,
    pollsNeeded: number,
  ): Promise<{ status: number; body: unknown }>;
}

const ok = (body: unknown, status = 200) => ({ status, body });
const managed = ({ id }: Held) => ok({ status: 'managed', id: String(id) });

/** Counts a status query. The submission is done after `pollsNeeded` of them. */
function pollSubmission(store: ManagerStore, reference: string, pollsNeeded: number) {
  const submission = store.submissions.get(reference);
  if (!submission) return undefined;
  submission.asked += 1;
  return {
    ...submission,
    done: submission.asked >= pollsNeeded,
    held: store.find(submission.sha256),
  };
}

/** Routes of the generic contract and of paperless-ngx. */
export const routes: Route[] = [
  {
    method: 'GET',
    path: /^\/documents$/,
    operation: 'lookUp',
    async answer({ query }, store) {
      const held = store.find(query.get('sha256') ?? '');
      return held ? managed(held) : ok({ status: 'not_managed' });
    },
  },
  {
    method: 'POST',
    path: /^\/documents$/,
    operation: 'submit',
    async answer({ form }, store, pollsNeeded) {
      const { name, bytes, metadata } = await form();
      const { reference, held } = store.take(name, bytes, metadata);
      return pollsNeeded === 0 ? managed(held) : ok({ status: 'submitted', reference }, 202);
    },
  },
  {
    method: 'GET',
    path: /^\/submissions\/[^/]+$/,
    operation: 'query',
    async answer({ path }, store, pollsNeeded) {
      const reference = path.split('/').at(-1) ?? '';
      const submission = pollSubmission(store, reference, pollsNeeded);
      if (!submission?.held) return ok({ status: 'not_managed' }, 404);
      return submission.done ? managed(submission.held) : ok({ status: 'submitted', reference });
    },
  },
  {
    method: 'GET',
    path: /^\/api\/documents\/$/,
    operation: 'lookUp',
    async answer({ query }, store) {
      const held = store.find(query.get('checksum__iexact') ?? '');
      return ok({ count: held ? 1 : 0, results: held ? [{ id: held.id }] : [] });
    },
  },
  {
    method: 'POST',
    path: /^\/api\/documents\/post_document\/$/,
    operation: 'submit',
    async answer({ form }, store) {
      const { name, bytes, metadata } = await form();
      return ok(store.take(name, bytes, metadata).reference);
    },
  },
  {
    method: 'GET',
    path: /^\/api\/tasks\/$/,
    operation: 'query',
    async answer({ query }, store, pollsNeeded) {
      const submission = pollSubmission(store, query.get('task_id') ?? '', pollsNeeded);
      return ok(submission ? [consumption(submission)] : []);
    },
  },
];

function consumption({ done, held, duplicateOf }: NonNullable<ReturnType<typeof pollSubmission>>) {
  if (!done) return { status: 'STARTED', result: null, related_document: null };
  if (duplicateOf) {
    const { name, id } = duplicateOf;
    const result = `Not consuming ${name}: It is a duplicate of ${name} (#${id})`;
    return { status: 'FAILURE', result, related_document: null };
  }
  return {
    status: 'SUCCESS',
    result: `Success. New document id ${held?.id} created`,
    related_document: String(held?.id),
  };
}
