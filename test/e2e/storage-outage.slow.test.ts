import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newKeyText } from '../../src/db/api-keys.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { openInstallation, patience } from '../kit/installation.ts';
import { startS3Server } from '../kit/s3-server.ts';

/** `MILLRACE_TEST_OUTAGE_S=60` repeats the outage of a minute that once failed everything. */
const outageMs = Number(process.env.MILLRACE_TEST_OUTAGE_S ?? 15) * 1000;

async function openFleet() {
  const s3 = await startS3Server();
  const installation = await openInstallation({ s3 });
  onTestFinished(async () => {
    await installation.close();
    await s3.stop();
  });
  const key = newKeyText();
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  installation.start(['api'], { MILLRACE_PORT: port, MILLRACE_API_KEY: key });
  for (const role of ['scheduler', 'worker', 'worker']) installation.start([role]);
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), patience);
  const headers = { authorization: `Bearer ${key}` };
  const send = (name: string) =>
    fetch(`${url}/v1/documents?name=${name}`, { method: 'POST', headers, body: `Dear ${name}` });
  const get = async (path: string) => (await fetch(`${url}${path}`, { headers })).json();
  const count = async (condition: string): Promise<number> => {
    const sql = `select count(*)::int as n from tasks where ${condition}`;
    return (await installation.resources.database.pool.query(sql)).rows[0].n;
  };
  return { ...installation, s3, send, get, count };
}

test('storage that is away makes documents wait, and all of them complete', {
  timeout: 400_000,
}, async () => {
  const { s3, send, get, count, ...installation } = await openFleet();
  const ids: string[] = [];
  for (let i = 0; i < 40; i += 1)
    ids.push(await installation.admitMock({ do: 'sleep', ms: 300 }, { do: 'say', text: `${i}` }));
  await vi.waitFor(async () => expect(await count("state = 'done'")).toBeGreaterThan(0), patience);

  await s3.stop();
  const refused = await send('during.txt');
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryable: true });
  const waits = "state = 'ready' and last_error->>'code' = 'STORAGE_UNAVAILABLE'";
  await vi.waitFor(async () => expect(await count(waits)).toBeGreaterThan(0), patience);
  const whys = () => Promise.all(ids.map((id) => get(`/v1/documents/${id}/why`)));
  await vi.waitFor(
    async () =>
      expect(await whys()).toContainEqual(
        expect.objectContaining({ reason: 'storage-unavailable' }),
      ),
    patience,
  );
  await sleep(outageMs);
  await s3.start();

  await Promise.all(ids.map((id) => installation.completed(id)));
  expect(await count("state = 'dead' or attempts > 0 or lane <> 'small'")).toBe(0);
  expect((await send('after.txt')).status).toBe(202);
});
