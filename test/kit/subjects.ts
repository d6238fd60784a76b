import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { endDelivery } from '../../src/db/deliveries.ts';
import { PermanentError } from '../../src/errors.ts';
import { newId } from '../../src/lib/ids.ts';
import { startManagerSimulator } from '../../src/simulators/manager/index.ts';
import { saveTranscription } from '../../src/storage/transcriptions.ts';
import type { TestApi } from './api.ts';
import { doubtful } from './doubtful.ts';
import { drain } from './drain.ts';
import { policy } from './policy.ts';

const made = z.looseObject({ id: z.string() });

/** A matching object for every API path that names one, and a request body to send there. */
export async function openSubjects(api: TestApi) {
  const manager = await startManagerSimulator();
  const bodies = bodiesOf(api, manager.url);
  const makers = makersOf(api, bodies);
  return {
    async idFor(path: string): Promise<string> {
      const [, make] = Object.entries(makers).find(([start]) => path.startsWith(start)) ?? [];
      if (!make) throw new Error(`Nothing is made for ${path}`);
      return make(path);
    },
    /** The request body by method and path, or an empty object. */
    bodyFor: async (name: string): Promise<object> => (await bodies[name]?.()) ?? {},
    close: manager.close,
  };
}

type Bodies = Record<string, () => object | Promise<object>>;

function bodiesOf(api: TestApi, url: string): Bodies {
  // Disabled, so that documents completed by other tests are not delivered.
  const destination = () => ({ name: newId(), kind: 'http', settings: { url }, enabled: false });
  return {
    'POST /v1/batches': () => ({ name: 'import' }),
    'PATCH /v1/batches/{id}': () => ({ priority: 1 }),
    'POST /v1/batches/{id}/items': () => ({ name: 'a.txt', reason: 'unreadable' }),
    'POST /v1/destinations': destination,
    'POST /v1/deliveries': async () => ({
      documentId: await completedDocument(api),
      destinationId: await post(api, '/v1/destinations', destination()),
    }),
    'PATCH /v1/documents/{id}/fields': () => ({ fields: { total: 25 } }),
    'POST /v1/documents/{id}/reject': () => ({ reason: 'not ours' }),
    'POST /v1/documents/{id}/reclassify': () => ({ documentType: 'receipt' }),
    'PUT /v1/schemas/{name}': () => policy,
    'POST /v1/webhooks': () => ({ url }),
    'POST /v1/webhooks/{id}/replay': () => ({ from: new Date(0) }),
    'POST /admin/legal-holds': async () => ({ documentId: await document(api), reason: 'a case' }),
    'POST /admin/legal-holds/{id}/release': () => ({ reason: 'the case is closed' }),
    'POST /admin/passwords': () => ({ label: newId(), password: 'sesame' }),
    'POST /admin/workspaces': () => ({ name: newId() }),
    'POST /admin/keys': () => ({ name: 'key', role: 'operator' }),
  };
}

/** Actions that must precede this action. */
const before: Record<string, string[]> = {
  pause: ['start'],
  resume: ['start', 'pause'],
  retry: ['cancel'],
};

/** Creates objects, by path prefix. */
function makersOf(api: TestApi, bodies: Bodies): Record<string, (path: string) => Promise<string>> {
  const madeIn = (collection: string) => async (path: string) => {
    const id = await post(api, collection, await bodies[`POST ${collection}`]?.());
    const [action = ''] = path.split('/').slice(-1);
    for (const earlier of before[action] ?? []) await post(api, `${collection}/${id}/${earlier}`);
    return id;
  };
  const collections = [
    '/v1/batches',
    '/v1/destinations',
    '/v1/webhooks',
    '/admin/legal-holds',
    '/admin/passwords',
    '/admin/workspaces',
    '/admin/keys',
  ];
  return {
    ...Object.fromEntries(collections.map((collection) => [`${collection}/`, madeIn(collection)])),
    '/v1/documents/': (path) => {
      if (path.endsWith('/cancel')) return document(api);
      if (path.endsWith('/image')) return completedImage(api);
      return isReview(path) ? doubtful(api, `${newId()}.txt`) : completedDocument(api);
    },
    '/v1/review/': () => doubtful(api, `${newId()}.txt`),
    '/v1/deliveries/': async (path) => {
      const id = await madeIn('/v1/deliveries')(path);
      if (path.endsWith('/resend')) await endDelivery(api.resources.database.db, id, 'managed');
      return id;
    },
    '/admin/dlq/replays/': () => runningReplay(api),
    '/admin/dlq/': () => deadLetter(api),
    '/admin/tasks/': async () => (await api.taskOf(await document(api))).id,
  };
}

function isReview(path: string): boolean {
  return /\/(fields|approve|reject|reclassify)$/.test(path);
}

async function post(api: TestApi, path: string, body: object = {}): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', key: api.keys.admin, headers, body: JSON.stringify(body) };
  return made.parse(await (await api.call(path, init)).json()).id;
}

async function document(api: TestApi, name = 'good.txt'): Promise<string> {
  return (await api.admit('text', name)).documentId;
}

async function completedDocument(api: TestApi): Promise<string> {
  const id = await document(api);
  await drain(api.runnerWith());
  await transcribe(api, id);
  return id;
}

async function completedImage(api: TestApi): Promise<string> {
  const { documentId } = await api.admit(await readFile('samples/receipt.jpg'), 'receipt.jpg');
  await drain(api.runnerWith());
  await transcribe(api, documentId);
  await api.resources.database.pool.query(
    `update documents set media_type = 'image/jpeg' where id = $1`,
    [documentId],
  );
  return documentId;
}

async function deadLetter(api: TestApi): Promise<string> {
  api.behaviours.set('bad.txt', async () => {
    throw new PermanentError('INVALID_FILE', 'broken');
  });
  const id = await document(api, 'bad.txt');
  await drain(api.runnerWith());
  return made.parse((await api.deadLettersOf(id))[0]).id;
}

/** A replay that is far from finished. */
async function runningReplay(api: TestApi): Promise<string> {
  await deadLetter(api);
  await deadLetter(api);
  return post(api, '/admin/dlq/replay-all', { rate: 0.001 });
}

async function transcribe(
  { resources: { storage, database } }: TestApi,
  documentId: string,
): Promise<void> {
  const quality = { score: 1, defects: [] };
  const page = { number: 1, width: 1, height: 1, text: 'read', words: [], quality, native: true };
  const key = `ingestions/${documentId}/t.gz`;
  const read = { engine: 'test/1', pages: [page], embedded: [], problems: [] };
  const { sha256 } = await saveTranscription(storage, key, 'source', read);
  await database.pool.query(
    'update ingestions set transcription_key = $2, transcription_sha256 = $3 where document_id = $1',
    [documentId, key, sha256],
  );
}
