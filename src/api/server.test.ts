import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApi, type TestApi } from '../../test/kit/api.ts';

const written: string[] = [];
const unreachable = () => Promise.reject(new Error('connect ECONNREFUSED'));
let api: TestApi;
beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => written.push(line) });
  const checks = { postgres: async () => undefined, redis: unreachable };
  api = await openTestApi({ resources: { log }, context: { checks } });
});
afterAll(() => api.close());

const everyDocumentRoute = (id: string) =>
  [
    ['GET', `/v1/documents/${id}`],
    ['DELETE', `/v1/documents/${id}`],
    ['GET', `/v1/documents/${id}/text`],
    ['GET', `/v1/documents/${id}/result`],
    ['GET', `/v1/documents/${id}/artifacts/original`],
    ['GET', `/v1/documents/${id}/artifacts/transcription`],
    ['POST', `/v1/documents/${id}/reprocess`],
    ['POST', `/v1/documents/${id}/cancel`],
  ] as const;
const listRoutes = [
  ['GET', '/v1/documents'],
  ['POST', '/v1/documents'],
] as const;
const adminRoutes = [
  ['GET', '/admin/dlq'],
  ['POST', '/admin/dlq/00000000-0000-7000-8000-000000000000/replay'],
  ['DELETE', '/admin/dlq/00000000-0000-7000-8000-000000000000'],
  ['GET', '/admin/queues'],
  ['GET', '/admin/queues/api/queues'],
] as const;

describe('access', () => {
  test.each([
    ['no key', ''],
    ['a key that is none', 'Bearer hunter2'],
    ['a key with a wrong secret', `Bearer mr_0123456789ab_${'x'.repeat(43)}`],
    ['another scheme', 'Basic bWU6bWU='],
  ])('is refused with %s', async (_, authorization) => {
    const { documentId } = await api.admit();
    for (const [method, path] of [
      ...everyDocumentRoute(documentId),
      ...listRoutes,
      ...adminRoutes,
    ]) {
      const answer = await fetch(api.url + path, {
        method,
        headers: authorization ? { authorization } : {},
      });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="millrace"$/);
      expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    }
  });

  test('is refused with the name of a key and another secret', async () => {
    const authorization = `Bearer ${api.keys.user.slice(0, 'mr_0123456789ab_'.length)}${'x'.repeat(43)}`;
    expect((await fetch(`${api.url}/v1/documents`, { headers: { authorization } })).status).toBe(
      401,
    );
  });

  test('of a user ends where operators work', async () => {
    for (const [method, path] of adminRoutes)
      expect((await api.call(path, { method })).status).toBe(403);
  });

  test('to the documents of another workspace looks as if there were none', async () => {
    const { documentId } = await api.admit();
    for (const [method, path] of everyDocumentRoute(documentId)) {
      const answer = await api.call(path, { method, key: api.keys.stranger });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await api.call(`/v1/documents/${documentId}`, { key: api.keys.admin })).status).toBe(
      200,
    );
  });

  test('ends with the key', async () => {
    const { pool } = api.resources.database;
    await pool.query("update api_keys set revoked_at = now() where name = 'admin'");
    expect((await api.call('/v1/documents', { key: api.keys.admin })).status).toBe(401);
  });
});

describe('the board', () => {
  test('opens for operators', async () => {
    const page = await api.call('/admin/queues', { key: api.keys.operator });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Millrace');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  test('shows the pointer of a job and nothing else', async () => {
    const queue = api.queues.byStage.get('claim');
    const secret = { taskId: '00000000-0000-7000-8000-000000000000', epoch: 0, secret: 'hunter2' };
    await queue?.add('claim', secret, { jobId: 'forged' });
    const answer = await api.call('/admin/queues/api/queues?activeQueue=claim&status=waiting', {
      key: api.keys.operator,
    });
    const text = await answer.text();
    expect(text).toContain(secret.taskId);
    expect(text).not.toContain('hunter2');
  });

  test.each([
    ['PUT', '/api/queues/claim/forged/promote'],
    ['PUT', '/api/queues/claim/pause'],
    ['POST', '/api/queues/claim/add'],
    ['DELETE', '/api/queues/claim/empty'],
  ])('refuses %s %s', async (method, path) => {
    const answer = await api.call(`/admin/queues${path}`, { method, key: api.keys.operator });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('what is open', () => {
  test('is health: each dependency with its reason', async () => {
    expect((await fetch(`${api.url}/livez`)).status).toBe(200);
    const answer = await fetch(`${api.url}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      status: 'not ready',
      checks: { postgres: { ok: true }, redis: { ok: false, reason: 'connect ECONNREFUSED' } },
    });
  });

  test('is ready without what it can do without, and says what that is', async () => {
    const optionalChecks = { redis: () => Promise.reject(new Error('connect ECONNREFUSED')) };
    const checks = { postgres: async () => undefined };
    const degraded = await openTestApi({ context: { checks, optionalChecks } });
    onTestFinished(degraded.close);
    const answer = await fetch(`${degraded.url}/readyz`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      status: 'degraded',
      missing: ['redis'],
      checks: { postgres: { ok: true }, redis: { ok: false, reason: 'connect ECONNREFUSED' } },
    });
  });

  test('is metrics, with the queues', async () => {
    const answer = await fetch(`${api.url}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    expect(text).toMatch(/^millrace_queue_jobs\{queue="finalize",state="waiting"\} 0$/m);
    expect(text).toMatch(/^millrace_transcription_quality_count 0$/m);
  });

  test('is an index', async () => {
    expect(await (await fetch(api.url)).json()).toMatchObject({
      links: { documents: '/v1/documents' },
    });
  });
});

describe('an error', () => {
  test('is problem+json for what is not there', async () => {
    for (const path of ['/nothing', '/v1/nothing', '/v1/documents/%zz']) {
      const answer = await api.call(path);
      expect(answer.status).toBe(path.endsWith('%zz') ? 400 : 404);
      expect(await answer.json()).toMatchObject({
        type: 'about:blank',
        title: expect.any(String),
        retryable: false,
      });
    }
  });

  test('of ours tells no internals, and is found in the log by its id', async () => {
    const { documentId } = await api.admit();
    const { pool } = api.resources.database;
    await pool.query('alter table events rename to events_away');
    const answer = await api.call(`/v1/documents/${documentId}`);
    await pool.query('alter table events_away rename to events');
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toMatch(/events|select|relation/);
    const { requestId } = JSON.parse(text);
    const entry = written.find(
      (line) => line.includes(requestId) && line.includes('request failed'),
    );
    expect(entry).toContain('relation \\"events\\" does not exist');
    expect(entry).not.toContain(documentId);
  });

  test('and every request leaves a line without keys, ids or queries', async () => {
    const { documentId } = await api.admit();
    written.length = 0;
    await api.call(`/v1/documents/${documentId}`);
    await api.call(`/v1/documents/${documentId}?secret=hunter2`);
    const [line] = written.filter((each) => each.includes('"request"'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      method: 'GET',
      route: '/v1/documents/:id',
      status: 200,
    });
    for (const hidden of [api.keys.user, documentId, 'hunter2'])
      expect(written.join()).not.toContain(hidden);
  });
});
