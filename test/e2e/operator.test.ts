import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { newKeyText } from '../../src/db/api-keys.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import {
  type DocumentAiSimulator,
  startDocumentAiSimulator,
} from '../../src/simulators/documentai/index.ts';
import { pipeline } from '../../src/workers/pipeline.ts';
import { runCli, startCli } from '../kit/cli.ts';
import { openTestEngine } from '../kit/engine.ts';
import { serverEnvironment } from '../kit/server-environment.ts';

/** An operator's evening: three processes as in production, and an OCR provider that breaks. */
const patience = { timeout: 60_000, interval: 100 };
const key = newKeyText();
const ports = { api: 0, worker: 0, scheduler: 0 };
const running: ReturnType<typeof startCli>[] = [];
let engine: Awaited<ReturnType<typeof openTestEngine>>;
let vendor: DocumentAiSimulator;
let url: string;
let client: Record<string, string>;
let broken = true;

beforeAll(async () => {
  engine = await openTestEngine(pipeline);
  vendor = await startDocumentAiSimulator({
    faults: () =>
      broken ? { kind: 'error', code: 'INTERNAL', message: 'The model has crashed' } : undefined,
  });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  client = { MILLRACE_URL: url, MILLRACE_API_KEY: key };
  const shared = {
    ...serverEnvironment(engine, { key, port }),
    MILLRACE_MAX_ATTEMPTS: '1',
    MILLRACE_TRANSCRIBE_CONCURRENCY: '1',
    // What the provider fails on would otherwise be read here, as far as it can be.
    MILLRACE_TRANSCRIBE_LARGE_TIMEOUT: '1ms',
    DOCUMENTAI_PROCESSOR: 'projects/simulated/locations/eu/processors/0123456789abcdef',
    DOCUMENTAI_ENDPOINT: `${vendor.host}:${vendor.port}`,
    DOCUMENTAI_INSECURE: 'true',
  };
  for (const role of ['api', 'scheduler', 'worker'] as const) {
    ports[role] = await freePort();
    running.push(startCli([role], { ...shared, MILLRACE_METRICS_PORT: String(ports[role]) }));
  }
  const ready = (role: keyof typeof ports) => fetch(`http://127.0.0.1:${ports[role]}/readyz`);
  for (const role of ['api', 'scheduler', 'worker'] as const)
    await vi.waitFor(async () => expect((await ready(role)).status).toBe(200), patience);
}, 90_000);
afterAll(async () => {
  for (const { child, exited } of running) {
    child.kill('SIGTERM');
    await exited;
  }
  await vendor.close();
  await engine.close();
});

const sample = fileURLToPath(new URL('../../samples/invoice.pdf', import.meta.url));
const authorization = `Bearer ${key}`;
async function submit(name: string): Promise<string> {
  const body = new Uint8Array(await readFile(sample));
  const answer = await fetch(`${url}/v1/documents?name=${name}`, {
    method: 'POST',
    body,
    headers: { authorization },
  });
  return z.object({ id: z.string() }).parse(await answer.json()).id;
}
async function metric(role: keyof typeof ports, name: string): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${ports[role]}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}
async function millrace(...args: string[]) {
  const { code, stdout, stderr } = await runCli(args, client);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter(Boolean);
}
const reason = z.object({ reason: z.string(), message: z.string() });
const whyOf = async (id: string) =>
  reason.parse(
    await (await fetch(`${url}/v1/documents/${id}/why`, { headers: { authorization } })).json(),
  );
const untilWhy = (id: string, expected: string) =>
  vi.waitFor(async () => expect((await whyOf(id)).reason).toBe(expected), patience);

describe('an evening with a broken provider', { timeout: 180_000 }, () => {
  const failed: string[] = [];
  let held: string;

  test('begins with an alert and a document that says what it waits for', async () => {
    for (const name of ['1.pdf', '2.pdf', '3.pdf', '4.pdf', '5.pdf'])
      failed.push(await submit(name));
    for (const id of failed) await untilWhy(id, 'failed');
    // The provider is well again, but nobody calls it before the breaker's time is over.
    broken = false;
    held = await submit('held.pdf');
    await untilWhy(held, 'breaker-open');
    expect((await whyOf(held)).message).toContain(
      'Calls to documentai are suspended after repeated failures',
    );
    expect(
      await metric('scheduler', 'millrace_dlq_entries{stage="transcribe",code="TOO_SLOW"}'),
    ).toBe(5);
    expect(await metric('scheduler', 'millrace_provider_breaker_open{provider="documentai"}')).toBe(
      1,
    );
    expect(
      await metric(
        'worker',
        'millrace_provider_call_duration_seconds_count{provider="documentai",outcome="failure"}',
      ),
    ).toBe(5);
    expect(
      await metric('worker', 'millrace_dlq_entries{stage="transcribe",code="TOO_SLOW"}'),
    ).toBeUndefined();
    for (const port of Object.values(ports))
      expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
  });

  test('goes on with one kind of failure and a rehearsal', async () => {
    const [group, ...others] = await millrace('dlq', 'groups', '--json', '--stage', 'transcribe');
    expect(others).toEqual([]);
    const { count, fingerprint, exampleMessage } = z
      .looseObject({ count: z.number(), fingerprint: z.string(), exampleMessage: z.string() })
      .parse(JSON.parse(group ?? ''));
    expect([count, exampleMessage]).toEqual([5, expect.stringContaining('took longer than')]);
    const [rehearsal] = await millrace(
      'dlq',
      'replay',
      '--all',
      '--json',
      '--dry-run',
      '--fingerprint',
      fingerprint,
    );
    expect(JSON.parse(rehearsal ?? '')).toMatchObject({ dryRun: true, matching: 5 });
    for (const id of failed) expect((await whyOf(id)).reason).toBe('failed');
  });

  test('ends with a replay that does without the provider', async () => {
    const [answer] = await millrace(
      'dlq',
      'replay',
      '--all',
      '--json',
      '--no-ocr',
      '--timeout',
      '20m',
      '--rate',
      '50',
    );
    expect(JSON.parse(answer ?? '')).toMatchObject({
      outcomes: { replayed: 5, refused: 0 },
      more: false,
    });
    for (const id of failed) await untilWhy(id, 'completed');
    const left = () => metric('api', 'millrace_dlq_entries{stage="transcribe",code="TOO_SLOW"}');
    await vi.waitFor(async () => expect(await left()).toBeUndefined(), patience);
    expect(await millrace('dlq', 'list')).toEqual(['No dead letters found.']);
  });

  test('and the document that waited goes on by itself', async () => {
    await vi.waitFor(async () => expect((await whyOf(held)).reason).toBe('completed'), {
      ...patience,
      timeout: 120_000,
    });
    expect(await millrace('why', held)).toEqual([
      expect.stringContaining('completed'),
      expect.any(String),
    ]);
    expect(await metric('scheduler', 'millrace_provider_breaker_open{provider="documentai"}')).toBe(
      0,
    );
    // Five that failed and the one that waited: the replays asked for nothing.
    expect(vendor.tally.total).toBe(6);
  });
});
