import { z } from 'zod';
import { drain } from '../../src/engine/drain.ts';
import { PermanentError } from '../../src/errors.ts';
import { newId } from '../../src/lib/ids.ts';
import { startManagerSimulator } from '../../src/providers/simulators/manager.ts';
import { saveTranscription } from '../../src/storage/transcriptions.ts';
import type { TestApi } from './api.ts';

const made = z.looseObject({ id: z.string() });

/** Something of the right kind for every path of the API that names one, and what is to be sent there. */
export async function openSubjects(api: TestApi) {
  const manager = await startManagerSimulator();
  const post = async (path: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', key: api.keys.admin, headers, body: JSON.stringify(body) };
    return made.parse(await (await api.call(path, init)).json()).id;
  };
  const newDestination = () => ({
    name: newId(),
    kind: 'http',
    settings: { url: manager.url },
    enabled: false,
  });
  const newDelivery = async () => ({
    documentId: await completedDocument(api),
    destinationId: await post('/v1/destinations', newDestination()),
  });

  /** What must have been done to a batch or a delivery before this can be done. */
  const before: Record<string, string[]> = { pause: ['start'], resume: ['start', 'pause'], retry: ['cancel'] };
  const prepared = async (path: string, id: string) => {
    const [, collection = ''] = /^(.+)\/\{id\}/.exec(path) ?? [];
    for (const action of before[path.split('/').at(-1) ?? ''] ?? []) await post(`${collection}/${id}/${action}`);
    return id;
  };

  const makers: Record<string, (path: string) => Promise<string>> = {
    '/v1/documents/': (path) => (path.endsWith('/cancel') ? document(api) : completedDocument(api)),
    '/v1/batches/': async (path) => prepared(path, await post('/v1/batches', { name: 'import' })),
    '/v1/destinations/': () => post('/v1/destinations', newDestination()),
    '/v1/deliveries/': async (path) => prepared(path, await post('/v1/deliveries', await newDelivery())),
    '/v1/webhooks/': () => post('/v1/webhooks', { url: manager.url }),
    '/admin/workspaces/': () => post('/admin/workspaces', { name: newId() }),
    '/admin/keys/': () => post('/admin/keys', { name: 'key', role: 'operator' }),
    '/admin/dlq/': () => deadLetter(api),
  };
  const bodies: Record<string, () => object | Promise<object>> = {
    'POST /v1/batches': () => ({ name: 'import' }),
    'PATCH /v1/batches/{id}': () => ({ priority: 1 }),
    'POST /v1/batches/{id}/items': () => ({ name: 'a.txt', reason: 'unreadable' }),
    'POST /v1/destinations': newDestination,
    'POST /v1/deliveries': newDelivery,
    'POST /v1/webhooks': () => ({ url: manager.url }),
    'POST /v1/webhooks/{id}/replay': () => ({ from: new Date(0) }),
    'POST /admin/workspaces': () => ({ name: newId() }),
    'POST /admin/keys': () => ({ name: 'key', role: 'operator' }),
  };
  return {
    async idFor(path: string): Promise<string> {
      const [, make] = Object.entries(makers).find(([start]) => path.startsWith(start)) ?? [];
      if (!make) throw new Error(`Nothing is made for ${path}`);
      return make(path);
    },
    /** By method and path; an empty object where that will do. */
    bodyFor: async (name: string): Promise<object> => (await bodies[name]?.()) ?? {},
    close: manager.close,
  };
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

async function deadLetter(api: TestApi): Promise<string> {
  api.behaviours.set('bad.txt', async () => {
    throw new PermanentError('INVALID_FILE', 'broken');
  });
  const id = await document(api, 'bad.txt');
  await drain(api.runnerWith());
  return made.parse((await api.deadLettersOf(id))[0]).id;
}

async function transcribe({ resources: { storage, database } }: TestApi, documentId: string): Promise<void> {
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
