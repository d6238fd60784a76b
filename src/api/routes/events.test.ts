import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { drain } from '../../../test/kit/drain.ts';
import { appendEvent } from '../../db/events.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const listing = z.object({
  events: z.array(
    z.object({ type: z.string(), documentId: z.string().nullable(), position: z.string() }),
  ),
  nextCursor: z.string(),
});
const read = async (query: string, key = api.keys.user) =>
  listing.parse(await (await api.call(`/v1/events?${query}`, { key })).json());
const types = async (query: string, key?: string) =>
  (await read(query, key)).events.map(({ type }) => type);

/** Events become visible once all earlier transactions, also of other tests, have ended. */
const settled = <T>(assert: () => Promise<T>) =>
  vi.waitFor(assert, { timeout: 100_000, interval: 50 });
vi.setConfig({ testTimeout: 220_000 });

async function processed(name: string): Promise<string> {
  const { documentId } = await api.admit('text', name);
  await drain(api.runnerWith());
  return documentId;
}

describe('the log of events', () => {
  test('tells the life of a document, oldest first', async () => {
    const id = await processed('life.txt');
    const life = [
      'DOCUMENT_ADDED',
      'TASK_ADDED',
      'TASK_FINISHED',
      'TASK_FINISHED',
      'DOCUMENT_PROCESSED',
    ];
    await settled(async () => expect(await types(`documentId=${id}`)).toEqual(life));
    expect(await types(`documentId=${id}&type=DOCUMENT_ADDED,DOCUMENT_PROCESSED`)).toEqual([
      'DOCUMENT_ADDED',
      'DOCUMENT_PROCESSED',
    ]);
  });

  test('is read page by page, and on from its end', async () => {
    const id = await processed('pages.txt');
    await settled(async () => expect((await read(`documentId=${id}`)).events).toHaveLength(5));
    const first = await read(`documentId=${id}&limit=3`);
    const second = await read(`documentId=${id}&limit=3&cursor=${first.nextCursor}`);
    const end = await read(`documentId=${id}&cursor=${second.nextCursor}`);
    expect([first.events.length, second.events.length, end.events.length]).toEqual([3, 2, 0]);
    expect(end.nextCursor).toBe(second.nextCursor);
  });

  test('is that of the own workspace', async () => {
    const id = await processed('mine.txt');
    await settled(async () =>
      expect(await types(`documentId=${id}`, api.keys.admin)).toHaveLength(5),
    );
    expect(await types(`documentId=${id}`, api.keys.stranger)).toEqual([]);
    expect(await types(`workspaceId=${api.workspaceId}`, api.keys.stranger)).toEqual([]);
  });

  test.each(['type=NO_SUCH_EVENT', 'cursor=x', 'documentId=1', 'limit=0'])(
    'refuses ?%s',
    async (query) => {
      expect((await api.call(`/v1/events?${query}`)).status).toBe(400);
    },
  );

  test('shows nothing past what is still uncommitted, so that no reader misses it', async () => {
    const { db } = api.resources.database;
    const last = await processed('last.txt');
    const { nextCursor } = await settled(async () => {
      const page = await read('limit=1000', api.keys.admin);
      expect(page.events.at(-1)?.documentId).toBe(last);
      return page;
    });
    const appended = (message: string) => ({ message, workspaceId: api.workspaceId });
    await db.transaction(async (tx) => {
      await appendEvent(tx, 'NOTIFICATION', null, appended('slow'));
      await appendEvent(db, 'NOTIFICATION', null, appended('quick'));
      expect(await types(`cursor=${nextCursor}`)).toEqual([]);
    });
    const both = ['NOTIFICATION', 'NOTIFICATION'];
    await settled(async () => expect(await types(`cursor=${nextCursor}`)).toEqual(both));
  });
});

describe('the stream of events', () => {
  /** Reads a stream until this many events have arrived. */
  async function listen(
    count: number,
    headers: Record<string, string> = {},
    begun: () => unknown = () => undefined,
  ) {
    const answer = await api.call('/v1/events/stream?type=DOCUMENT_ADDED', { headers });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const body = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    onTestFinished(() => body?.cancel());
    let text = '';
    let ids: string[] = [];
    for (
      let chunk = await body?.read();
      chunk && !chunk.done && ids.length < count;
      chunk = await body?.read()
    ) {
      if (text === '') await begun();
      text += chunk.value;
      ids = [...text.matchAll(/^id: (.+)\nevent: /gm)].map(([, id = '']) => id);
    }
    await body?.cancel();
    return ids;
  }

  test('begins now, and goes on from the last event a listener has seen', async () => {
    const ids = await listen(2, {}, async () => {
      await api.admit('text', 'one.txt');
      await api.admit('text', 'two.txt');
    });
    const [first = '', second] = ids;
    expect(await listen(1, { 'last-event-id': first })).toEqual([second]);
  });

  test('does not hold up the server when it closes', async () => {
    const other = await openTestApi();
    const answer = await other.call('/v1/events/stream');
    const whole = answer.text();
    await other.close();
    expect(await whole).toContain('retry:');
  });
});
