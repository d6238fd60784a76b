import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { Millrace, type OperationName } from '../../sdk/src/index.ts';
import { startAnsweringServer } from '../kit/answering-server.ts';

const json =
  (status: number, body: object, headers: Record<string, string> = {}): RequestListener =>
  (_, res) =>
    res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const problem = (status: number, code: string, retryable: boolean) =>
  json(status, { status, code, retryable, detail: `It is ${code}.`, hint: 'Wait.' }, soon);
const soon = { 'retry-after': '0', 'x-request-id': 'request-1' };
const received = { id: 'a', href: '/v1/documents/a' };
const cut: RequestListener = (req) => req.socket.destroy();

async function open(...answers: RequestListener[]) {
  const server = await startAnsweringServer(...answers);
  onTestFinished(server.close);
  return { server, millrace: new Millrace({ url: `${server.url}/`, key: 'mr_key' }) };
}

test('an upload is repeated with the same key and all of its bytes', async () => {
  const busy = problem(503, 'DATABASE_UNAVAILABLE', true);
  const { server, millrace } = await open(busy, cut, json(202, received));
  expect(await millrace.upload(new Blob(['bytes']), { name: 'a b.txt' })).toEqual(received);
  expect(server.heard.map(({ body }) => body)).toEqual(['bytes', 'bytes', 'bytes']);
  const keys = server.heard.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(1);
  expect(server.heard[0]).toMatchObject({
    method: 'POST',
    url: '/v1/documents?name=a+b.txt',
    headers: { authorization: 'Bearer mr_key' },
  });
});

test('a stream is sent as it is read, and only once', async () => {
  const { server, millrace } = await open(problem(503, 'BUSY', true));
  const body = new Blob(['bytes']).stream();
  await expect(millrace.upload(body, { name: 'a.txt' })).rejects.toMatchObject({ code: 'BUSY' });
  expect(server.heard.map((each) => each.body)).toEqual(['bytes']);
  expect(server.heard[0]?.headers['transfer-encoding']).toBe('chunked');
});

test('a function makes a new stream for each attempt', async () => {
  const { server, millrace } = await open(problem(503, 'BUSY', true), json(202, received));
  const options = { name: 'a.txt', idempotencyKey: 'mine', batchId: 'b/c' };
  await millrace.upload(() => new Blob(['bytes']).stream(), options);
  expect(server.heard.map(({ body }) => body)).toEqual(['bytes', 'bytes']);
  expect(server.heard[1]?.headers['idempotency-key']).toBe('mine');
  expect(server.heard[1]?.url).toBe('/v1/batches/b%2Fc/documents?name=a.txt');
});

const path = { id: 'a' };

test.each([
  ['what cannot succeed', problem(409, 'CONFLICT', false), 'CONFLICT'],
  ['a change that may have happened', problem(500, 'INTERNAL', true), 'INTERNAL'],
  ['a change whose answer was lost', cut, 'UNREACHABLE'],
])('%s is not repeated', async (_, answer, code) => {
  const { server, millrace } = await open(answer, json(200, {}));
  await expect(millrace.call('approveDocument', { path })).rejects.toMatchObject({ code });
  expect(server.heard).toHaveLength(1);
});

test.each([
  ['a change that was refused', 'approveDocument', problem(429, 'RATE_LIMITED', true)],
  ['a question', 'getDocument', problem(500, 'INTERNAL', true)],
  ['a question to a proxy', 'getDocument', (_, res) => res.writeHead(502, soon).end('<html>')],
] satisfies [string, OperationName, RequestListener][])(
  '%s is repeated',
  async (_, name, answer) => {
    const { server, millrace } = await open(answer, json(200, { id: 'a' }));
    expect(await millrace.call(name, { path })).toEqual({ id: 'a' });
    expect(server.heard).toHaveLength(2);
  },
);

test('an error has what the server says about it', async () => {
  const { millrace } = await open(problem(409, 'CONFLICT', false));
  await expect(millrace.call('getDocument', { path })).rejects.toMatchObject({
    name: 'MillraceError',
    message: 'It is CONFLICT.',
    status: 409,
    retryable: false,
    hint: 'Wait.',
    requestId: 'request-1',
    retryAfterMs: 0,
  });
});

test('waiting ends at its limit, and names what is waited for', async () => {
  const { millrace } = await open(json(200, { id: 'a', status: 'in-progress' }));
  await expect(millrace.waitFor('a', { timeoutMs: 0 })).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: 'Document a is still in progress after 0 s',
  });
});

const stream =
  (...parts: string[]): RequestListener =>
  (_, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) res.write(part);
    res.end();
  };
const event = (id: number) => `id: ${id}\nevent: E\ndata: {"position":"${id}"}\n\n`;

test('events continue after the last one when the connection is lost', async () => {
  const { server, millrace } = await open(
    stream('id: 0\nretry: 1\n\n', ':\n\n'),
    stream(event(1), 'id: 2\nevent: E\ndata: {"po'),
    stream(event(2).replaceAll('\n', '\r\n'), 'data: {"position":\ndata: "none"}\n\n'),
    stream(event(3)),
  );
  const positions: string[] = [];
  for await (const { position } of millrace.events({ type: 'E' })) {
    positions.push(position);
    if (position === '3') break;
  }
  expect(positions).toEqual(['1', '2', 'none', '3']);
  const asked = server.heard.map(({ headers }) => headers['last-event-id']);
  // The second stream named an id, but lost its event.
  expect(asked).toEqual([undefined, '0', '1', '2']);
});

test('events of a batch start after the given one, and stop with their signal', async () => {
  const { server, millrace } = await open(stream(event(8)), problem(404, 'NOT_FOUND', false));
  const events = millrace.batchEvents('b', { lastEventId: '7', signal: AbortSignal.abort('end') });
  await expect(events.next()).rejects.toBe('end');
  const others = millrace.batchEvents('b', { lastEventId: '7' });
  expect(await others.next()).toMatchObject({ value: { id: '8', data: { position: '8' } } });
  await others.return(undefined);
  expect(server.heard[0]?.headers['last-event-id']).toBe('7');
});
