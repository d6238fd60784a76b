import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from '../../../test/kit/api.ts';
import { StorageUnavailableError } from '../../errors.ts';

const maxBytes = 2 ** 20;
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ maxBytes });
});
afterAll(() => api.close());

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const documentCount = async () => {
  const { rows } = await api.resources.database.pool.query(
    'select count(*)::int as count from documents',
  );
  return rows[0].count;
};

function form(files: Record<string, string | Buffer>): FormData {
  const data = new FormData();
  for (const [name, body] of Object.entries(files)) data.append('file', new Blob([body]), name);
  return data;
}

const uploaded = z.object({ id: z.uuid(), href: z.string() });
const received = z.object({ documents: z.array(uploaded.loose()), errors: z.array(z.unknown()) });

const raw = (query: string, headers: Record<string, string> = {}, body: string | Buffer = 'text') =>
  api.call(`/v1/documents${query}`, { method: 'POST', headers, body });

describe('a multipart upload', () => {
  test('makes a document of each file', async () => {
    const files = { 'a.txt': 'first', 'b.txt': randomBytes(300_000), 'c.txt': '' };
    const answer = await api.call('/v1/documents', { method: 'POST', body: form(files) });
    const { documents, errors } = received.parse(await answer.json());
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(documents[0]?.href);
    expect(errors).toEqual([]);
    expect(documents).toMatchObject(
      Object.entries(files).map(([name, body]) => ({
        name,
        bytes: body.length,
        sha256: sha256(body),
      })),
    );
    for (const { id, href } of documents) {
      expect(href).toBe(`/v1/documents/${id}`);
      expect(await api.documentOf(id)).toMatchObject({ workspaceId: api.workspaceId });
      expect(
        await api.queues.byStage.get('claim')?.getJob(`${(await api.taskOf(id)).id}-0`),
      ).toBeDefined();
    }
  });

  test('reports a file that fails and keeps the others', async () => {
    const files = { 'small.txt': 'x', 'large.bin': randomBytes(maxBytes + 1), 'after.txt': 'y' };
    const answer = await api.call('/v1/documents', { method: 'POST', body: form(files) });
    expect(answer.status).toBe(202);
    expect(await answer.json()).toMatchObject({
      documents: [{ name: 'small.txt' }, { name: 'after.txt' }],
      errors: [{ name: 'large.bin', code: 'TOO_LARGE', status: 413 }],
    });
  });

  test('says so when it holds more files than are taken', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 102 }, (_, i) => [`${i}.txt`, String(i)]),
    );
    const answer = await api.call('/v1/documents', { method: 'POST', body: form(files) });
    const { documents, errors } = received.parse(await answer.json());
    expect(documents).toHaveLength(100);
    expect(errors).toMatchObject([{ detail: 'Only the first 100 files were read.' }]);
  });

  test('without a file is refused', async () => {
    const body = new FormData();
    body.append('file', 'a field and no file');
    const answer = await api.call('/v1/documents', { method: 'POST', body });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
  });

  test.each([
    ['has no boundary', 'multipart/form-data', 'x'],
    [
      'has no end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="f"; filename="cut.txt"\r\n\r\nhalf',
    ],
    ['is something else', 'multipart/form-data; boundary=b', 'not a form at all'],
  ])('that %s is refused and leaves nothing', async (_, contentType, body) => {
    const before = [await documentCount(), await api.objects()];
    const answer = await raw('', { 'content-type': contentType }, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'BAD_REQUEST' });
    expect([await documentCount(), await api.objects()]).toEqual(before);
  });
});

describe('a raw upload', () => {
  test.each([
    ['the query', '?name=r%C3%A9sum%C3%A9.txt', {}, 'résumé.txt'],
    ['a header', '', { 'x-file-name': encodeURIComponent('résumé.txt') }, 'résumé.txt'],
    ['a plain header', '', { 'x-file-name': '100% sure.txt' }, '100% sure.txt'],
    [
      'Content-Disposition',
      '',
      { 'content-disposition': 'attachment; filename="a \\"b\\".txt"' },
      'a "b".txt',
    ],
    [
      'its extended form',
      '',
      { 'content-disposition': "attachment; filename=x; filename*=UTF-8''%e2%82%ac.txt" },
      '€.txt',
    ],
    ['a path', '?name=..%2F..%2Fetc%2Fpasswd', {}, 'passwd'],
    ['line breaks', '?name=a%0D%0ASet-Cookie:%20x.txt', {}, 'a Set-Cookie: x.txt'],
    ['a direction override', '?name=invoice%E2%80%AEfdp.exe', {}, 'invoice fdp.exe'],
    ['300 characters', `?name=${'n'.repeat(296)}.pdf`, {}, `${'n'.repeat(251)}.pdf`],
  ])('takes its name from %s', async (_, query, headers, name) => {
    const answer = await raw(query, headers);
    expect(answer.status).toBe(202);
    const document = await answer.json();
    const { href } = uploaded.parse(document);
    expect(document).toMatchObject({
      name,
      bytes: 4,
      sha256: sha256('text'),
      href: answer.headers.get('location'),
    });
    const download = await api.call(`${href}/artifacts/original`);
    expect(await download.text()).toBe('text');
    expect(download.headers.get('content-disposition')).toMatch(/^attachment; filename="/);
  });

  test('without a name is refused', async () => {
    const answer = await raw('');
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'BAD_REQUEST',
      hint: expect.stringContaining('X-File-Name'),
    });
  });

  test('in a content encoding is refused', async () => {
    expect((await raw('?name=a.gz', { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test('that is too large is refused, with or without a declared length', async () => {
    const before = [await documentCount(), await api.objects()];
    const body = randomBytes(maxBytes + 1);
    expect((await raw('?name=a.bin', {}, body)).status).toBe(413);
    const stream = new Blob([body]).stream();
    const init = { method: 'POST', body: stream, duplex: 'half' } as const;
    const answer = await api.call('/v1/documents?name=b.bin', init);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      code: 'TOO_LARGE',
      hint: expect.stringContaining('MAX_UPLOAD_MB'),
    });
    expect([await documentCount(), await api.objects()]).toEqual(before);
  });

  test('is refused by its declared length before a byte is sent', async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(head('/v1/documents?name=a.bin', { 'Content-Length': String(10 * maxBytes) }));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });
});

describe('an upload that is cut off', () => {
  test.each([
    ['raw', '/v1/documents?name=a.bin', {}, ''],
    [
      'multipart',
      '/v1/documents',
      { 'Content-Type': 'multipart/form-data; boundary=b' },
      '--b\r\nContent-Disposition: form-data; name="f"; filename="cut.bin"\r\n\r\n',
    ],
  ])('leaves nothing (%s)', async (_, path, headers, start) => {
    const before = [await documentCount(), await api.objects()];
    const put = vi.spyOn(api.resources.storage, 'put');
    const remove = vi.spyOn(api.resources.storage, 'remove');
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(head(path, { ...headers, 'Content-Length': '500000' }) + start);
    socket.write(randomBytes(200_000));
    await vi.waitFor(() => expect(put).toHaveBeenCalledOnce(), 20_000);
    socket.destroy();
    await expect(put.mock.results[0]?.value).rejects.toThrow();
    await vi.waitFor(() => expect(remove).toHaveResolved(), 20_000);
    expect([await documentCount(), await api.objects()]).toEqual(before);
    vi.restoreAllMocks();
  });
});

function head(path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ Host: 'x', Authorization: `Bearer ${api.keys.user}`, ...headers });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

test('an upload while storage is away is answered so, and leaves nothing', async () => {
  const before = await documentCount();
  const put = vi.spyOn(api.resources.storage, 'put').mockRejectedValue(
    new StorageUnavailableError('Storage is unavailable', 5000, {
      cause: new Error('connect ECONNREFUSED 10.0.0.7:9000'),
    }),
  );
  const answer = await raw('?name=a.txt');
  put.mockRestore();
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  const problem = await answer.json();
  expect(problem).toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryable: true });
  expect(JSON.stringify(problem)).not.toContain('10.0.0.7');
  expect(await documentCount()).toBe(before);
});

test('an upload to a full disk is answered so, and leaves nothing', async () => {
  const before = await documentCount();
  const put = vi
    .spyOn(api.resources.storage, 'put')
    .mockRejectedValue(
      Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    );
  const answer = await raw('?name=a.txt');
  put.mockRestore();
  expect(answer.status).toBe(507);
  expect(await answer.json()).toMatchObject({ code: 'STORAGE_FULL', retryable: true });
  expect(await documentCount()).toBe(before);
});
